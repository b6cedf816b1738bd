import { useMemo, useState } from 'react';
import type { CompileView, TraceView } from '../../api/types';
import { contention } from '../../viz/gpu/memory';
import { inkOn, viridis } from '../../viz/space/viridis';
import { lanesOf } from '../../viz/space/workers';
import { writesOf } from '../../viz/space/writes';
import type { WriteCount } from '../../viz/space/writes';
import { Ramp } from '../../components/Ramp';
import { resultOf, workerVariables } from './result-of';
import { counted } from '../../text/quantities';
import { Explained } from '../../components/Term';

interface Props {
  readonly result: CompileView;
  readonly trace: TraceView;
}

const [CELL_WIDTH, CELL_HEIGHT, MOST_ROWS, MOST_LANES] = [38, 22, 64, 64];

/** Who counts as one worker: an iteration of the loops on these units. */
interface Grouping {
  readonly worker: string;
  readonly units: readonly string[];
}

const THREADS: Grouping = { worker: 'worker', units: ['CPUThread'] };
const BLOCKS: Grouping = { worker: 'block', units: ['GPUBlock'] };
const OF_GPU: readonly Grouping[] = [
  BLOCKS,
  { worker: 'warp', units: ['GPUBlock', 'GPUWarp'] },
  { worker: 'lane', units: ['GPUBlock', 'GPUWarp', 'GPUThread'] },
];

/** How often each worker writes to each row of the result, and how often atomically (docs/sources.toml V16). */
export function WritesView({ result, trace }: Props) {
  const written = resultOf(result);
  const onGpu = result.launches.length > 0;
  const [wished, setWished] = useState<Grouping>(BLOCKS);
  const { worker, units } = onGpu ? wished : THREADS;
  const parallel = useMemo(() => workerVariables(result, units), [result, units]);
  const map = useMemo(
    () => writesOf(trace, written, lanesOf(trace, `${written}_vals`, parallel)),
    [trace, written, parallel],
  );
  const contended = map.counts.filter((row) => row.filter(({ stores }) => stores > 0).length > 1).length;
  const writers = map.lanes.flatMap((lane, column) =>
    map.counts.some((row) => (row[column]?.stores ?? 0) > 0) ? [{ title: lane.title, column }] : [],
  );
  const shown = writers.slice(0, MOST_LANES);
  const rows = map.rows.slice(0, MOST_ROWS);
  const row = result.tensors.find(({ name }) => name === written)?.dimensions[0] ?? '';
  return (
    <>
      {onGpu && (
        <div className="space-views" role="group" aria-label="Writes of each">
          {OF_GPU.map((one) => (
            <button key={one.worker} type="button" aria-pressed={one === wished} onClick={() => setWished(one)}>
              Each {one.worker}
            </button>
          ))}
        </div>
      )}
      <p className="space-summary" role="status" data-stores={map.stores} data-atomics={map.atomics}>
        <Explained>
          {counted(map.stores, 'write')} to {written}, {map.atomics} of them atomic. {contended}{' '}
          {contended === 1 ? 'row is' : 'rows are'} written by two {worker}s or more.
          {onGpu && <Waiting trace={trace} array={`${written}_vals`} />}
        </Explained>
      </p>
      <div className="space-scroll" tabIndex={0} role="group" aria-label={`Writes by row and ${worker}`}>
        <table className="space-writes">
          <caption>
            <Explained>
              Writes by {row === '' ? worker : `row ${row} and ${worker}`}; ⚛ marks those with atomics
            </Explained>
          </caption>
          <thead>
            <tr>
              <th scope="col">{row}</th>
              {shown.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((number) => (
              <tr key={number}>
                <th scope="row">{number}</th>
                {shown.map(({ title, column }) => (
                  <Count key={title} count={map.counts[number]?.[column]} most={map.most} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Ramp most={map.most} unit="write" />
      {writers.length < map.lanes.length && (
        <p className="caption muted">
          {map.lanes.length - writers.length} of {map.lanes.length} {worker}s write nothing and have no column.
        </p>
      )}
      {(map.rows.length > MOST_ROWS || writers.length > MOST_LANES) && (
        <p className="muted">
          Drawn are {rows.length} of {map.rows.length} rows and {shown.length} of {writers.length} {worker}s; the counts
          above are of all.
        </p>
      )}
    </>
  );
}

/** Lanes of a warp go in step: those that update one place together wait for each other. */
function Waiting({ trace, array }: { readonly trace: TraceView; readonly array: string }) {
  const { atomics, waiting } = contention(trace.launches, array);
  if (atomics === 0) return null;
  return (
    <span data-waiting={waiting}>
      {' '}
      {waiting} of the {atomics} atomic updates meet another lane of their warp at the same place and wait for it.
    </span>
  );
}

function Count({ count, most }: { readonly count: WriteCount | undefined; readonly most: number }) {
  const { stores, atomics } = count ?? { stores: 0, atomics: 0 };
  if (stores === 0) return <td style={{ minWidth: CELL_WIDTH, height: CELL_HEIGHT }} />;
  const share = stores / Math.max(most, 1);
  return (
    <td
      data-stores={stores}
      data-atomics={atomics}
      style={{ minWidth: CELL_WIDTH, height: CELL_HEIGHT, background: viridis(share), color: inkOn(share) }}
    >
      {stores}
      {atomics > 0 && (
        <>
          <span aria-hidden="true"> ⚛</span>
          <span className="visually-hidden">, {atomics} atomic</span>
        </>
      )}
    </td>
  );
}
