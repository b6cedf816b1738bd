import { useMemo } from 'react';
import type { CompileView } from '../../api/types';
import { linkId, useLinked } from '../../state/links';
import { scalarsOf } from '../../viz/trace-values';
import { usePlayback } from '../../state/use-playback';
import { PlaybackBar } from '../../components/playback/PlaybackBar';

/** The 0-based line of C or of the loops that the traced run is at; null where the trace is of another plan. */
export function useExecutingLine(result: CompileView, language: string): number | null {
  const trace = usePlayback((state) => state.trace);
  const planHash = usePlayback((state) => state.planHash);
  const index = usePlayback((state) => state.index);
  const wanted = usePlayback((state) => state.wanted);
  if (trace === null || wanted === 0 || planHash !== result.hash) return null;
  const step = trace.steps[index];
  const line = language === 'c' ? step?.c_line : language === 'loops' ? step?.line : null;
  return line === undefined || line === null ? null : line - 1;
}

/** Steps through the code, and what its scalars hold now. */
export default function Stepping({ result }: { readonly result: CompileView }) {
  const trace = usePlayback((state) => state.trace);
  const planHash = usePlayback((state) => state.planHash);
  const index = usePlayback((state) => state.index);
  const values = useMemo(() => (trace === null ? null : scalarsOf(trace)), [trace]);
  const now = values === null || planHash !== result.hash ? [] : [...values(index)];
  return (
    <div className="code-stepping">
      <PlaybackBar />
      <ul className="code-watch" aria-label="Values now">
        {now.map(([name, value]) => (
          <Value key={name} name={name} value={String(value)} />
        ))}
      </ul>
    </div>
  );
}

function Value({ name, value }: { readonly name: string; readonly value: string }) {
  const { props } = useLinked(linkId.variable(name));
  return (
    <li
      data-link={props['data-link']}
      data-linked={props['data-linked']}
      onPointerEnter={props.onPointerEnter}
      onPointerLeave={props.onPointerLeave}
    >
      {name} = {value}
    </li>
  );
}
