import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { isAbort, toProblem, trace as requestTrace } from '../../api/client';
import type { CompileView, TraceView } from '../../api/types';
import { tracedPlan } from '../../plan/plan';
import { useSizeOf } from '../../components/use-size-of';
import { useStore } from '../../state/store';
import { operandsOf } from '../../state/data/example-data';
import { usePlayback } from '../../state/use-playback';
import type { Grid } from '../../viz/space/grid';
import { gridOf, MAX_SLICES } from '../../viz/space/grid';
import { visitedBy, visitsOf } from '../../viz/space/visits';
import { besideRoom } from '../../viz/space/frame';
import { GridPicture } from './GridPicture';
import { Trail } from './Trail';
import { counted } from '../../text/quantities';

interface Props {
  readonly result: CompileView;
  readonly trace: TraceView;
  readonly grid: Grid;
}

/** The order before and after one command, at the same number of points. */
export function BeforeAfter(props: Props) {
  if (props.result.commands.length === 0) {
    return <p className="muted">The schedule has no command to compare.</p>;
  }
  return <Pair {...props} />;
}

function Pair({ result, trace, grid }: Props) {
  const id = useId();
  const pair = useRef<HTMLDivElement>(null);
  const size = useSizeOf(pair);
  const room = (size && besideRoom(size.width)) ?? undefined;
  const commands = result.commands;
  const [wished, setWished] = useState<number | null>(null);
  const chosen = Math.min(wished ?? commands.length - 1, commands.length - 1);
  const index = usePlayback((state) => state.index);
  const reached = useMemo(() => visitsOf(trace, []), [trace]);
  const done = visitedBy(reached, index);
  return (
    <>
      <div className="space-choices">
        <label htmlFor={`${id}-command`}>Before and after</label>
        <select id={`${id}-command`} value={chosen} onChange={(event) => setWished(Number(event.target.value))}>
          {commands.map(({ index: number, text }) => (
            <option key={number} value={number}>
              {number + 1} {text}
            </option>
          ))}
        </select>
      </div>
      <div ref={pair} className="space-pair" data-beside={room !== undefined || undefined}>
        <Side title="Before" count={chosen} result={result} tensor={grid.tensor} done={done} room={room} />
        <Side title="After" count={chosen + 1} result={result} tensor={grid.tensor} done={done} room={room} />
      </div>
    </>
  );
}

interface SideProperties {
  readonly title: string;
  /** How many commands of the schedule apply. */
  readonly count: number;
  readonly result: CompileView;
  readonly tensor: string;
  readonly done: number;
  readonly room: number | undefined;
}

function Side({ title, count, result, tensor, done, room }: SideProperties) {
  const { trace, said } = usePrefixTrace(count, result);
  const grid = useMemo(() => (trace === null ? null : gridOf(result, trace, tensor)), [trace, result, tensor]);
  const visits = useMemo(() => (trace === null ? [] : visitsOf(trace, [])), [trace]);
  if (grid === null) return <p className="muted">{`${title}: ${said ?? 'running…'}`}</p>;
  const shown = Math.min(done, visits.length);
  return (
    <figure className="space-side" aria-label={title}>
      <figcaption>
        {title}: {shown} of {counted(visits.length, 'point')}
      </figcaption>
      {grid.slices.slice(0, MAX_SLICES).map((slice, number) => (
        <GridPicture
          key={number}
          grid={grid}
          slice={slice}
          room={room}
          label={`${title} the command: ${shown} of ${counted(visits.length, 'point')} visited`}
          over={(frame) => <Trail frame={frame} grid={grid} slice={number} visits={visits} done={shown} here plain />}
        />
      ))}
    </figure>
  );
}

/** The trace of the first `count` commands, on the same operands. */
function usePrefixTrace(count: number, result: CompileView): { trace: TraceView | null; said: string | null } {
  const store = useStore();
  const data = usePlayback((state) => state.data);
  const [answer, setAnswer] = useState<{ trace: TraceView | null; said: string | null }>({ trace: null, said: null });
  useEffect(() => {
    const controller = new AbortController();
    const drawn = store.get().compile.shown?.plan;
    if (drawn === undefined) return;
    const plan = tracedPlan(drawn);
    const part = { ...plan, schedule: result.commands.slice(0, count).map(({ text }) => text) };
    requestTrace(part, operandsOf(data, result), controller.signal)
      .then((trace) =>
        setAnswer(
          trace.steps.length > 0
            ? { trace, said: null }
            : { trace: null, said: trace.diagnostics[0]?.message ?? 'this part of the schedule does not run' },
        ),
      )
      .catch((error: unknown) => {
        if (!isAbort(error)) setAnswer({ trace: null, said: toProblem(error).title });
      });
    return () => controller.abort();
  }, [store, data, count, result]);
  return answer;
}
