import type { Search } from '../../viz/tuner/search-log';

/** The genes and how many values each has; how many draws did not compile, and why. */
export function SpaceTable({ search }: { readonly search: Search }) {
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
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="caption">
        {refused.size === 0
          ? 'Every draw compiled.'
          : `Draws that did not compile: ${[...refused].map(([code, count]) => `${count} × ${code}`).join(', ')}.`}
      </p>
    </details>
  );
}
