import { useMemo, useState } from 'react';
import type { CompileView, RoleName } from '../../api/types';
import { becomesLoops } from '../../plan/plan';
import type { ExpressionLanguage } from '../../plan/plan';
import { CODE_LANGUAGES } from '../../plan/targets';
import Launches from '../../components/launches/Launches';
import CodeListing from '../../components/code/CodeListing';
import LeftOutLines from '../../components/code/LeftOutLines';
import { textsOf } from '../../components/code/code-texts';
import { explainLine } from '../../components/code/explain';
import GuardExperiment from './GuardExperiment';
import Legend from './Legend';
import { linesOf } from '../../components/code/lines';
import Stepping, { useExecutingLine } from './Stepping';
import { TextMenu } from './TextMenu';
import { useBreakpoints } from './use-breakpoints';
import './code.css';
import { Explained } from '../../components/Term';

interface Props {
  readonly result: CompileView;
  /** The id of the text to show (see code-texts.ts); the first one when there is none of that id. */
  readonly tab?: string;
}

/** The generated code, coloured by role and linked to everything else on the page. */
export default function CodePanel({ result, tab: chosen = 'target' }: Props) {
  const texts = useMemo(() => textsOf(result), [result]);
  const [hidden, setHidden] = useState<ReadonlySet<RoleName>>(new Set());
  // The line belongs to one text: another tab, or new code, starts without one.
  const [at, setAt] = useState<{ readonly text: string; readonly line: number | null }>({ text: '', line: null });
  const text = texts.find(({ id }) => id === chosen) ?? texts[0];
  const lines = useMemo(() => (text ? linesOf(text.code) : []), [text]);
  const present = useMemo(() => new Set(text?.code.spans.map((span) => span.origin.role)), [text]);

  const [stepping, setStepping] = useState(false);
  const executing = useExecutingLine(result, text?.code.language ?? '');

  const { lines: broken, toggle: toggleBreakpoint } = useBreakpoints(text?.code.language ?? '');

  if (!text) return <p className="code-empty">No code yet. It appears when the expression and the schedule compile.</p>;

  // What runs a plan step by step starts at its statements.
  const traced = !becomesLoops(result.plan.language as ExpressionLanguage | undefined);
  const current = at.text === text.code.text ? at.line : null;
  const line = current === null ? undefined : lines[current];
  const toggle = (role: RoleName): void => {
    const next = new Set(hidden);
    if (!next.delete(role)) next.add(role);
    setHidden(next);
  };

  return (
    <section className="code-panel" aria-label="Generated code">
      <div className="code-head">
        <Legend present={present} hidden={hidden} onToggle={toggle} />
        <div className="code-tools">
          {traced && (
            <button type="button" aria-pressed={stepping} onClick={() => setStepping(!stepping)}>
              Step
            </button>
          )}
          <TextMenu
            text={text.code.text}
            what={`the ${text.title} code`}
            fileName={CODE_LANGUAGES[text.code.language].file}
          />
        </div>
      </div>
      {result.launches.length > 0 && <Launches result={result} />}
      {stepping && traced && <Stepping result={result} language={text.code.language} />}
      <div className={['code-body', ...[...hidden].map((role) => `hide-${role}`)].join(' ')}>
        <CodeListing
          code={text.code}
          label={`${text.title} code, line by line`}
          current={current}
          executing={executing}
          breakpoints={broken}
          onBreakpoint={stepping ? toggleBreakpoint : undefined}
          onCurrent={(line) => setAt({ text: text.code.text, line })}
        />
      </div>
      <LeftOutLines
        code={text.code}
        stage={text.id === 'target' ? text.code.language : text.id}
        leftOut={text.code.left_out}
      />
      {traced && <GuardExperiment result={result} language={text.code.language} lines={lines} />}
      <p className="code-status" role="status">
        <Explained>
          {line
            ? explainLine(line, result.commands)
            : 'Point at a line to see what it is for and which command made it.'}
        </Explained>
      </p>
    </section>
  );
}
