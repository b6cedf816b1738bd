import { useMemo } from 'react';
import type { CompileView, TraceStepView } from '../../api/types';
import type { CodeLanguage } from '../../plan/targets';
import { linkId, useLinked } from '../../state/links';
import { useStore } from '../../state/store';
import { scalarsOf } from '../../viz/trace-values';
import { usePlayback } from '../../state/use-playback';
import { DataPicker } from '../../components/data/DataPicker';
import { PlaybackBar } from '../../components/playback/PlaybackBar';
import { steppedText, useBreakpoints } from './use-breakpoints';

/** The 0-based line of the code or of the loops that the traced run is at; null where the trace is of another plan. */
export function useExecutingLine(result: CompileView, language: CodeLanguage | ''): number | null {
  const trace = usePlayback((state) => state.trace);
  const planHash = usePlayback((state) => state.planHash);
  const index = usePlayback((state) => state.index);
  const wanted = usePlayback((state) => state.wanted);
  if (trace === null || wanted === 0 || planHash !== result.hash) return null;
  const step = trace.steps[index];
  const text = steppedText(language);
  const line = text === 'c' ? step?.c_line : text === 'loops' ? step?.line : null;
  return line === undefined || line === null ? null : line - 1;
}

interface Props {
  readonly result: CompileView;
  readonly language: CodeLanguage;
}

/** Steps through the code: where it stops, what its scalars hold now, and what the step reads and writes. */
export default function Stepping({ result, language }: Props) {
  const trace = usePlayback((state) => state.trace);
  const planHash = usePlayback((state) => state.planHash);
  const index = usePlayback((state) => state.index);
  const values = useMemo(() => (trace === null ? null : scalarsOf(trace)), [trace]);
  const current = planHash === result.hash ? (trace?.steps[index] ?? null) : null;
  const now = values === null || current === null ? [] : [...values(index)];
  return (
    <div className="code-stepping">
      <DataPicker result={result} />
      <PlaybackBar />
      <Breakpoints language={language} />
      <ul className="code-watch" aria-label="Values now">
        {now.map(([name, value]) => (
          <Value key={name} name={name} value={String(value)} changed={name in (current?.changed ?? {})} />
        ))}
      </ul>
      <p className="code-memory">{current === null ? '' : memoryText(current)}</p>
    </div>
  );
}

/** What a step reads and writes: `reads A_vals[3] = 7; writes y_vals[2] = 12`. */
function memoryText({ loads, store }: TraceStepView): string {
  const read = loads.map(({ array, index, value }) => `${array}[${index}] = ${value}`);
  return [
    read.length > 0 ? `reads ${read.join(', ')}` : '',
    store === null ? '' : `writes ${store.array}[${store.index}] = ${store.value}${store.atomic ? ', atomically' : ''}`,
  ]
    .filter(Boolean)
    .join('; ');
}

function Breakpoints({ language }: { readonly language: CodeLanguage }) {
  const { playback } = useStore();
  const { lines, toggle } = useBreakpoints(language);
  const trace = usePlayback((state) => state.trace);
  const reached = useMemo(
    () => new Set(trace?.steps.map((step) => (language === 'loops' ? step.line : step.c_line))),
    [trace, language],
  );
  if (toggle === undefined) return null;
  return (
    <div className="code-breakpoints" role="group" aria-label="Breakpoints">
      <button type="button" className="button" disabled={lines.size === 0} onClick={playback.runOn}>
        Run to the next breakpoint
      </button>
      {lines.size === 0 && (
        <span className="muted caption">Click a line number, or press b in the code, to set one.</span>
      )}
      {[...lines]
        .sort((one, other) => one - other)
        .map((line) => (
          <button
            key={line}
            type="button"
            className="link-button"
            data-tip="Remove this breakpoint"
            aria-label={`Remove the breakpoint of line ${line + 1}`}
            onClick={() => toggle(line)}
          >
            line {line + 1}
            {reached.has(line + 1) ? '' : ', not reached'} ×
          </button>
        ))}
    </div>
  );
}

interface ValueProps {
  readonly name: string;
  readonly value: string;
  /** Whether the step that was just executed set it. */
  readonly changed: boolean;
}

function Value({ name, value, changed }: ValueProps) {
  const { props } = useLinked(linkId.variable(name));
  return (
    <li
      data-changed={changed || undefined}
      data-link={props['data-link']}
      data-linked={props['data-linked']}
      onPointerEnter={props.onPointerEnter}
      onPointerLeave={props.onPointerLeave}
    >
      {name} = {value}
    </li>
  );
}
