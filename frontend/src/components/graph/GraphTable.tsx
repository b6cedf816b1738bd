import type { CompileView } from '../../api/types';
import type { IterationLayout } from '../../viz/iteration/types';

/** The iteration graph in words. */
export default function GraphTable({
  result,
  layout,
}: {
  readonly result: CompileView;
  readonly layout: IterationLayout;
}) {
  const paths = layout.paths;
  return (
    <details className="text-equivalent">
      <summary>As text</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Loop</th>
            <th scope="col">Kind</th>
            <th scope="col">Iteration</th>
            <th scope="col">Merge</th>
            <th scope="col">Levels reached</th>
          </tr>
        </thead>
        <tbody>
          {layout.loops.map((loop) => (
            <tr key={loop.variable}>
              <th scope="row">
                {loop.depth + 1} {loop.variable}
              </th>
              <td>{[loop.space, loop.reduction ? 'reduction' : '', ...loop.badges].filter(Boolean).join(', ')}</td>
              <td>{loop.iteration}</td>
              <td>{loop.merge ?? ''}</td>
              <td>
                {paths
                  .flatMap((path) =>
                    path.stations
                      .filter((station) => station.variable === loop.variable && station.levels.length > 0)
                      .map((station) => `${path.tensor} level ${station.levels.join(', ')}`),
                  )
                  .join('; ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <pre>{result.graph?.text}</pre>
    </details>
  );
}
