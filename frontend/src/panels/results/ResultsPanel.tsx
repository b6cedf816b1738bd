import { useEffect, useState } from 'react';
import { getRun, toProblem } from '../../api/client';
import { forget, pin, useMeasured } from '../../state/runs/measured';
import type { Measured } from '../../state/runs/measured';
import { settlePending } from '../../state/loops/run-memory';
import { readPlan } from '../../plan/plan-reader';
import { useStore } from '../../state/store';
import { counted, formatNanoseconds, formatShare, threeDigits } from '../../text/quantities';
import { formatDate } from '../../text/quantities';
import { columnsOf, filterRows, sortRows, toCsv } from './rows';
import type { Column, Order } from './rows';
import './results.css';

/** Every result of this browser: sorted, filtered, pinned, opened again. */
export default function ResultsPanel() {
  const store = useStore();
  const all = useMeasured();
  const [order, setOrder] = useState<Order>({ column: 'date', descending: true });
  const [query, setQuery] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => void settlePending(), []);
  if (all.length === 0) {
    return (
      <p className="panel-message muted">
        Nothing has been measured in this browser yet. Press Run: each result becomes a row here, to sort, filter and
        pin.
      </p>
    );
  }
  const columns = columnsOf(all);
  const rows = sortRows(filterRows(all, columns, query), columns, order);
  const open = async (row: Measured): Promise<void> => {
    setProblem(null);
    const draft = readPlan(row.plan);
    store.update({ kind: 'open', draft });
    try {
      const view = await getRun(row.id);
      store.patch({ run: { phase: 'ended', view, plan: row.plan, problem: null, stored: true } });
      store.look({ run: 'result' });
    } catch (error) {
      setProblem(`The plan is open, but its full result could not be fetched: ${toProblem(error).detail}`);
    }
  };
  return (
    <section className="results" aria-label="All results">
      <div className="results-tools">
        <input
          type="search"
          aria-label="Filter the results"
          placeholder="Filter: spmv, csr, bcsstk13 …"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <span role="status" className="caption muted">
          {rows.length === all.length
            ? counted(all.length, 'result')
            : `${rows.length} of ${counted(all.length, 'result')}`}
        </span>
        <button type="button" className="button" onClick={() => download(toCsv(rows, columns))}>
          Download as CSV
        </button>
      </div>
      {problem !== null && <p role="alert">{problem}</p>}
      <div className="table-scroll" role="group" aria-label="Results" tabIndex={0}>
        <table className="results-table">
          <caption className="visually-hidden">
            All results in this browser, pinned ones first. A ratio is the other’s time divided by Heddle’s.
          </caption>
          <thead>
            <tr>
              <th scope="col">Pin</th>
              {columns.map((column) => (
                <Head key={column.id} column={column} order={order} onOrder={setOrder} />
              ))}
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} data-pinned={row.pinned ? '' : undefined}>
                <td>
                  <button
                    type="button"
                    className="icon-button"
                    aria-pressed={row.pinned}
                    aria-label={`Pin ${nameOf(row)}`}
                    data-tip={row.pinned ? 'Unpin' : 'Keep at the top'}
                    onClick={() => pin(row.id, !row.pinned)}
                  >
                    <svg viewBox="0 0 16 16" aria-hidden="true" className={row.pinned ? 'pin-on' : undefined}>
                      <path d="M5.5 1.5h5l-.8 5 2.3 2.5H4l2.3-2.5zM8 9v5.5" />
                    </svg>
                  </button>
                </td>
                {columns.map((column) => (
                  <td key={column.id} className={column.numeric ? 'number' : `results-${column.id}`}>
                    {cellOf(row, column)}
                  </td>
                ))}
                <td className="results-actions">
                  <button
                    type="button"
                    className="link-button"
                    aria-label={`Open ${nameOf(row)}`}
                    onClick={() => void open(row)}
                  >
                    Open
                  </button>
                  <button
                    type="button"
                    className="link-button"
                    aria-label={`Remove ${nameOf(row)}`}
                    onClick={() => forget(row.id)}
                  >
                    Remove
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="caption muted">
        Rows were measured at different times: compare ratios, each of which is from one run, rather than medians.
      </p>
    </section>
  );
}

interface HeadProps {
  readonly column: Column;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

function Head({ column, order, onOrder }: HeadProps) {
  const current = order.column === column.id;
  const sorted = order.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={current ? sorted : undefined} className={column.numeric ? 'number' : undefined}>
      <button
        type="button"
        className="results-sort"
        onClick={() => onOrder({ column: column.id, descending: current && !order.descending })}
      >
        {column.title}
        <span aria-hidden="true">{current ? (order.descending ? ' ▼' : ' ▲') : ''}</span>
      </button>
    </th>
  );
}

const nameOf = ({ plan, date }: Measured): string => `${plan.expression} of ${formatDate(date)}`;

function cellOf(row: Measured, { id, value }: Column) {
  const found = value(row);
  if (found === null || found === '') return '–';
  if (typeof found === 'string') {
    if (id === 'date') return formatDate(found).replace(' UTC', '');
    return id === 'inputs' ? <span data-tip={found}>{found}</span> : <code data-tip={found}>{found}</code>;
  }
  if (id === 'median') return `${formatNanoseconds(found)}${row.verified ? '' : ' ✕ wrong result'}`;
  if (id === 'share') return formatShare(found);
  if (id.startsWith('ratio')) return `${threeDigits(found)} ×${row.noisy ? ' noisy' : ''}`;
  return id === 'threads' ? found : threeDigits(found);
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'heddle-results.csv';
  link.click();
  URL.revokeObjectURL(url);
}
