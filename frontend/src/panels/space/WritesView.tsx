import { useMemo } from 'react';
import type { CompileView, TraceView } from '../../api/types';
import { inkOn, viridis } from '../../viz/space/viridis';
import { lanesOf } from '../../viz/space/workers';
import { writesOf } from '../../viz/space/writes';
import type { WriteCount } from '../../viz/space/writes';
import { resultOf, threadVariables } from './result-of';

interface Props {
  readonly result: CompileView;
  readonly trace: TraceView;
}

const [CELL_WIDTH, CELL_HEIGHT, MOST_ROWS, MOST_LANES] = [38, 22, 64, 64];

/** V16: how often each worker writes to each row of the result, and how often it must do so atomically. */
export function WritesView({ result, trace }: Props) {
  const written = resultOf(result);
  const parallel = useMemo(() => threadVariables(result), [result]);
  const map = useMemo(
    () => writesOf(trace, written, lanesOf(trace, `${written}_vals`, parallel)),
    [trace, written, parallel],
  );
  const contended = map.counts.filter((row) => row.filter(({ stores }) => stores > 0).length > 1).length;
  const lanes = map.lanes.slice(0, MOST_LANES);
  const rows = map.rows.slice(0, MOST_ROWS);
  const row = result.tensors.find(({ name }) => name === written)?.dimensions[0] ?? '';
  return (
    <>
      <p className="space-summary" role="status" data-stores={map.stores} data-atomics={map.atomics}>
        {map.stores} writes to {written}, {map.atomics} of them atomic. {contended}{' '}
        {contended === 1 ? 'row is' : 'rows are'} written by two workers or more.
      </p>
      <div className="space-scroll" tabIndex={0} role="group" aria-label="Writes by row and worker">
        <table className="space-writes">
          <caption>Writes by {row === '' ? 'worker' : `row ${row} and worker`}; ⚛ marks those with atomics</caption>
          <thead>
            <tr>
              <th scope="col">{row}</th>
              {lanes.map((lane) => (
                <th key={lane.title} scope="col">
                  {lane.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((number) => (
              <tr key={number}>
                <th scope="row">{number}</th>
                {lanes.map((lane, column) => (
                  <Count key={lane.title} count={map.counts[number]?.[column]} most={map.most} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Legend most={map.most} />
      {(map.rows.length > MOST_ROWS || map.lanes.length > MOST_LANES) && (
        <p className="muted">
          Drawn are {rows.length} of {map.rows.length} rows and {lanes.length} of {map.lanes.length} workers; the counts
          above are of all.
        </p>
      )}
    </>
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

function Legend({ most }: { readonly most: number }) {
  const steps = [0.1, 0.3, 0.5, 0.7, 0.9, 1];
  return (
    <p className="space-ramp caption muted">
      <span>1</span>
      {steps.map((share) => (
        <span key={share} className="space-ramp-step" style={{ background: viridis(share) }} aria-hidden="true" />
      ))}
      <span>{most} writes</span>
    </p>
  );
}
