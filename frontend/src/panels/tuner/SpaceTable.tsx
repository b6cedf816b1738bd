import { weights } from '../../viz/tuner/race';
import type { Search } from '../../viz/tuner/search-log';

/** The genes and how many values each has; how many draws did not compile, and why. */
export function SpaceTable({ search }: { readonly search: Search }) {
  const shares = new Map(weights(search).map(({ name, share }) => [name, Math.round(100 * share)]));
  const refused = new Map<string, number>();
  for (const generation of search.generations) {
    for (const [code, count] of Object.entries(generation.refused)) refused.set(code, (refused.get(code) ?? 0) + count);
  }
  return (
    <details className="tuner-space">
      <summary>Search space: {search.points.toLocaleString('en')} points</summary>
      <div className="table-scroll" role="group" aria-label="Search space" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Gene</th>
              <th scope="col">Values</th>
              <th scope="col">Number</th>
              <th scope="col">Tells of the times</th>
            </tr>
          </thead>
          <tbody>
            {search.genes.map(({ name, values, meaning }) => (
              <tr key={name}>
                <th scope="row">
                  {name} <span className="muted">{meaning}</span>
                </th>
                <td>{values.join(', ')}</td>
                <td>{values.length}</td>
                <td className="tuner-share">
                  <span style={{ width: `${shares.get(name) ?? 0}%` }} aria-hidden="true" />
                  {shares.get(name) ?? 0} %
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="caption">
        How much of the differences of the times so far the values of one gene alone tell; a gene of many values tells
        something by chance.{' '}
        {refused.size === 0
          ? 'Every draw compiled.'
          : `Draws that did not compile: ${[...refused].map(([code, count]) => `${count} × ${code}`).join(', ')}.`}
      </p>
    </details>
  );
}
