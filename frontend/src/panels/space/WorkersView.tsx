import { useMemo, useState } from 'react';
import type { CompileView, TraceView } from '../../api/types';
import { NumberField } from '../../components/NumberField';
import { linkId, links } from '../../state/links';
import { usePlayback } from '../../state/use-playback';
import type { Lane, Share } from '../../viz/space/workers';
import { lanesOf, onThreads, shareOf } from '../../viz/space/workers';
import { positionName, resultOf, workerVariables } from './result-of';
import { counted } from '../../text/quantities';
import { Explained } from '../../components/Term';

interface Props {
  readonly result: CompileView;
  readonly trace: TraceView;
}

/** Lanes that are drawn; the numbers are of all of them. */
const MOST = 64;

/** The work of each iteration of the parallel loop, or of each thread (docs/sources.toml V15). */
export function WorkersView({ result, trace }: Props) {
  const [threads, setThreads] = useState<number | null>(null);
  const written = resultOf(result);
  const parallel = useMemo(() => workerVariables(result, ['CPUThread']), [result]);
  const tiles = useMemo(() => lanesOf(trace, `${written}_vals`, parallel), [trace, written, parallel]);
  const lanes = useMemo(() => (threads === null ? tiles : onThreads(tiles, threads)), [tiles, threads]);
  const share = useMemo(() => shareOf(lanes), [lanes]);
  const command = result.variables.find(({ name }) => parallel.has(name))?.name;
  return (
    <>
      <div className="space-choices">
        <NumberField
          label="Threads"
          value={threads}
          minimum={1}
          maximum={64}
          integer
          optional
          placeholder="each tile"
          onChange={setThreads}
        />
        <p className="muted caption">
          <Explained>
            {parallel.size === 0
              ? 'No loop runs in parallel: one lane does all the work. Try parallelize.'
              : threads === null
                ? `One lane for each iteration of ${[...parallel].join(', ')}, as the run counted it.`
                : 'A model: each iteration goes to the thread with the least work so far. OpenMP decides at run time.'}
          </Explained>
        </p>
      </div>
      <p
        className="space-summary"
        role="status"
        data-total={share.total}
        data-idle={share.idle.toFixed(4)}
        onPointerEnter={() => links.point(command === undefined ? [] : [linkId.variable(command)])}
        onPointerLeave={() => links.point([])}
      >
        <Explained>
          {counted(lanes.length, 'lane')} {lanes.length === 1 ? 'computes' : 'share'} {counted(share.total, 'point')}:
          at most {share.max}, mean {share.mean.toFixed(2)}. Idle share 1 − mean / max = {(100 * share.idle).toFixed(1)}{' '}
          %.{' '}
          {share.shared.size === 0
            ? 'No two lanes write the same position of the result.'
            : `${counted(share.shared.size, 'position')} of the result ${share.shared.size === 1 ? 'is' : 'are'} written by two or more lanes: ${[
                ...share.shared.keys(),
              ]
                .slice(0, 8)
                .map((position) => positionName(trace, written, position))
                .join(', ')}${share.shared.size > 8 ? ' …' : ''}.`}
        </Explained>
      </p>
      <Lanes share={share} />
      {lanes.length > MOST && (
        <p className="muted">
          {lanes.length - MOST} more lanes are not drawn; the numbers above are of all {lanes.length}.
        </p>
      )}
      <details className="text-equivalent">
        <summary>As text</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Lane</th>
              <th scope="col">Points</th>
              <th scope="col">Idle</th>
              <th scope="col">Shared positions of {written}</th>
            </tr>
          </thead>
          <tbody>
            {lanes.slice(0, 4 * MOST).map((lane, number) => (
              <tr key={lane.title}>
                <th scope="row">{lane.title}</th>
                <td>{lane.visits.length}</td>
                <td>{share.max > 0 ? `${(100 * (1 - lane.visits.length / share.max)).toFixed(0)} %` : ''}</td>
                <td>
                  {sharedOf(share, number)
                    .map((position) => positionName(trace, written, position))
                    .join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

const sharedOf = (share: Share, lane: number): number[] =>
  [...share.shared].filter(([, who]) => who.includes(lane)).map(([position]) => position);

/** A bar for each lane: what is done at the current step, what is to come, and what is idle. */
function Lanes({ share }: { readonly share: Share }) {
  const index = usePlayback((state) => state.index);
  const done = (lane: Lane): number => lane.visits.filter((step) => step <= index).length;
  return (
    <ul className="space-lanes" aria-label="Lanes">
      {share.lanes.slice(0, MOST).map((lane, number) => {
        const shared = sharedOf(share, number).length;
        return (
          <li key={lane.title} className={`space-lane space-tile lane-${number % 8}`}>
            <span className="space-lane-name">{lane.title}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect className="space-idle" x={0} y={0} width={100} height={10} />
              <rect x={0} y={0} width={(100 * lane.visits.length) / Math.max(share.max, 1)} height={10} />
              <rect className="space-done" x={0} y={7} width={(100 * done(lane)) / Math.max(share.max, 1)} height={3} />
            </svg>
            <span className="space-lane-count">
              {done(lane)} / {lane.visits.length}
            </span>
            <span className="space-lane-shared">{shared > 0 ? `⇄ ${shared} shared` : ''}</span>
          </li>
        );
      })}
    </ul>
  );
}
