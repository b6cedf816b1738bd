import { useState } from 'react';
import type { DiagnosticView, FixView } from '../api/types';
import { Prose } from './Prose';
import { Repairs } from './Repairs';

interface Props {
  readonly label: string;
  readonly id?: string;
  readonly diagnostics: readonly DiagnosticView[];
  /** Where a diagnostic is, as a person would say it; null when that is plain from the place of the list. */
  readonly placeOf?: (diagnostic: DiagnosticView) => string | null;
  readonly onJump?: (diagnostic: DiagnosticView) => void;
  readonly onFix?: (fix: FixView) => void;
}

const ICONS = { error: '✕', warning: '!', note: 'i' } as const;

/** The messages about one part of the plan, readable without hovering, each with its repair. */
export function DiagnosticList({ label, id, diagnostics, placeOf, onJump, onFix }: Props) {
  // Whoever wants to see all repairs of a mistake wants to at the next one.
  const [open, setOpen] = useState(false);
  if (diagnostics.length === 0) return null;
  const shown = diagnostics.slice(0, 20);
  return (
    <ul className="diagnostics" aria-label={label} id={id}>
      {shown.map((diagnostic, index) => {
        const place = placeOf?.(diagnostic) ?? null;
        return (
          <li key={index} className={`diagnostic diagnostic-${diagnostic.severity}`}>
            <span className="diagnostic-icon" aria-hidden="true">
              {ICONS[diagnostic.severity]}
            </span>
            <div>
              <span className="visually-hidden">{diagnostic.severity}: </span>
              {place !== null && (
                <button type="button" className="link-button" onClick={() => onJump?.(diagnostic)}>
                  {place}
                </button>
              )}
              <Prose text={place === null ? diagnostic.message : withoutCommand(diagnostic.message)} terms />
              {diagnostic.evidence.map((sentence) => (
                <p key={sentence} className="diagnostic-evidence">
                  <Prose text={sentence} terms />
                </p>
              ))}
              <Facts diagnostic={diagnostic} />
              {onFix !== undefined && diagnostic.fixes.length > 0 && (
                <Repairs fixes={diagnostic.fixes} onFix={onFix} open={open} onOpen={setOpen} />
              )}
            </div>
          </li>
        );
      })}
      {diagnostics.length > shown.length && <li className="muted">… and {diagnostics.length - shown.length} more.</li>}
    </ul>
  );
}

function Facts({ diagnostic }: { readonly diagnostic: DiagnosticView }) {
  const { expected, found, candidates, hint, message } = diagnostic;
  // Messages often say these already; nothing is said twice.
  const said = [message, ...diagnostic.fixes.map(({ title }) => title)].join('\n');
  const names = candidates.filter((name) => !new RegExp(`(?<!\\w)${escaped(name)}(?!\\w)`).test(said));
  const remedy = [names.length > 0 ? `Available: ${candidates.map((name) => `\`${name}\``).join(', ')}.` : null, hint];
  const facts = [
    expected !== null && !message.includes(expected) ? `Expected ${expected}.` : null,
    found !== null && !message.includes(found) ? `Found ${found}.` : null,
  ];
  const helped = remedy.some((text) => text !== null) || diagnostic.fixes.length > 0;
  const rest = (helped ? remedy : facts).filter((text) => text !== null);
  if (rest.length === 0) return null;
  return (
    <div className="muted">
      <Prose text={rest.join(' ')} />
    </div>
  );
}

/** The message of a command that is named beside it already. */
const withoutCommand = (message: string): string => message.replace(/^`[^`]*`: /, '');

const escaped = (text: string): string => text.replace(/[^\w\s]/g, '\\$&');
