import type { TaskResultView } from '../../api/types';
import { LessonLine } from './LessonText';

type Check = TaskResultView['checks'][number];
type Fact = Check['facts'][number];

interface Props {
  readonly result: TaskResultView;
  readonly medals: Readonly<Record<string, string>>;
}

/** Each check with what the compiler found, and what a medal takes once all of them pass. */
export function LessonChecks({ result, medals }: Props) {
  const missing = Object.entries(medals).filter(([name]) => !(result.medals as readonly string[]).includes(name));
  return (
    <>
      <ul className="lesson-checks">
        {result.checks.map((check) => (
          <li key={check.check} data-passed={check.passed ? '' : undefined}>
            <span aria-hidden="true">{check.passed ? '✓' : '✗'} </span>
            <span className="visually-hidden">{check.passed ? 'Passed: ' : 'Failed: '}</span>
            {check.say === null ? <code>{check.check}</code> : <LessonLine text={check.say} />}
            {check.data > 0 && (
              <span className="caption muted block">With other data, which the task does not show.</span>
            )}
            {check.why !== null && <span className="caption block">{check.why}</span>}
            {shownFacts(check).map((fact) => (
              <span key={fact.fact} className="caption muted block" data-tip={fact.summary} tabIndex={0}>
                <code>{fact.fact}</code> is {valueOf(fact)}
              </span>
            ))}
          </li>
        ))}
      </ul>
      {result.passed && (
        <p className="lesson-passed">
          <b>Done{result.medals.map((medal) => `, with ${medal}`).join('')}. </b>
          {result.after !== null && <LessonLine text={result.after} terms />}
        </p>
      )}
      {result.passed &&
        missing.map(([name, wanted]) => (
          <p key={name} className="caption muted">
            For {name}: <code>{wanted}</code>
          </p>
        ))}
    </>
  );
}

/** Without what the line above says already: that the one fact of the check holds or does not, or why it is not known. */
function shownFacts({ check, facts, why }: Check): readonly Fact[] {
  return facts.filter((fact) => !(fact.unit === 'truth' && fact.fact === check) && (why === null || fact.why !== why));
}

const UNITLESS = ['truth', 'text', 'list'];

function valueOf({ value, unit, why }: Fact): string {
  if (value === null) return `not known: ${why ?? ''}`;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  const shown = typeof value === 'number' ? value.toLocaleString('en', { maximumSignificantDigits: 4 }) : value;
  return UNITLESS.includes(unit) ? shown : `${shown} ${unit}`;
}
