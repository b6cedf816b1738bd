import { useState } from 'react';
import type { Visit } from '../../viz/space/visits';

interface Props {
  readonly visits: readonly Visit[];
  readonly loops: readonly string[];
  readonly done: number;
}

/** Rows that a table shows; a run may have thousands of points. */
const ROWS = 200;

/** The order of visiting in words. */
export function VisitTable({ visits, loops, done }: Props) {
  const [open, setOpen] = useState(false);
  const names = Object.keys(visits[0]?.at ?? {});
  const start = Math.max(0, Math.min(done - ROWS / 2, visits.length - ROWS));
  return (
    <details className="text-equivalent" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As text</summary>
      {open && (
        <>
          {visits.length > ROWS && (
            <p className="muted">
              Points {start + 1} to {start + ROWS} of {visits.length}; move the step to see others.
            </p>
          )}
          <table>
            <thead>
              <tr>
                <th scope="col">Point</th>
                {names.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col">Loop that moved</th>
                <th scope="col">Worker</th>
              </tr>
            </thead>
            <tbody>
              {visits.slice(start, start + ROWS).map((visit, row) => (
                <tr key={visit.step} data-visited={start + row < done || undefined}>
                  <th scope="row">{start + row + 1}</th>
                  {names.map((name) => (
                    <td key={name}>{visit.at[name] ?? ''}</td>
                  ))}
                  <td>{visit.loop === null ? '' : (loops[visit.loop] ?? '')}</td>
                  <td>
                    {Object.entries(visit.worker)
                      .map(([name, value]) => `${name} = ${value}`)
                      .join(', ')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </details>
  );
}
