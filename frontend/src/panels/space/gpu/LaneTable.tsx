import { useState } from 'react';
import type { LaneLoad } from '../../../viz/gpu/warps';

const MOST = 200;

/** The map of warps and lanes in words: every lane that computes anything. */
export function LaneTable({ load, warpSize }: { readonly load: LaneLoad; readonly warpSize: number }) {
  const [open, setOpen] = useState(false);
  const busy = load.warps.flatMap(({ block, warp, lanes }) =>
    lanes.flatMap((points, lane) => (points === 0 ? [] : [{ block, warp, lane, points }])),
  );
  return (
    <details className="text-equivalent" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As text</summary>
      {open && (
        <>
          <p>
            {busy.length > MOST ? `The first ${MOST} of ${busy.length}` : `The ${busy.length}`} lanes that compute
            anything.
          </p>
          <table>
            <thead>
              <tr>
                <th scope="col">Block</th>
                <th scope="col">Warp</th>
                <th scope="col">Lane</th>
                <th scope="col">Thread</th>
                <th scope="col">Points</th>
              </tr>
            </thead>
            <tbody>
              {busy.slice(0, MOST).map(({ block, warp, lane, points }) => (
                <tr key={`${block} ${warp} ${lane}`}>
                  <td>{block}</td>
                  <td>{warp}</td>
                  <td>{lane}</td>
                  <td>{warp * warpSize + lane}</td>
                  <td>{points}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </details>
  );
}
