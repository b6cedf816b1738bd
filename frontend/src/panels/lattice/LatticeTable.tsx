import type { LatticeView, MergeStepView } from '../../api/types';
import { setLabel } from '../../viz/lattice/points';

const MOST = 200;

interface Properties {
  readonly lattice: LatticeView;
  readonly merges: readonly MergeStepView[];
  readonly at: number;
}

/** The lattice and the run of the merge in words. */
export default function LatticeTable({ lattice, merges, at }: Properties) {
  return (
    <details className="text-equivalent">
      <summary>As text</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Operands</th>
            <th scope="col">Loop</th>
            <th scope="col">Computes</th>
          </tr>
        </thead>
        <tbody>
          {lattice.points.map((point, index) => (
            <tr key={index}>
              <th scope="row">{setLabel(point.iterators)}</th>
              <td>{index + 1}</td>
              <td>
                <code>{point.expression}</code>
              </td>
            </tr>
          ))}
          {lattice.pruned.map((one, index) => (
            <tr key={`pruned ${index}`}>
              <th scope="row">{setLabel(one.iterators)}</th>
              <td>none: {one.rule}</td>
              <td>{one.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ol className="lattice-run" aria-label="Active points in order">
        {merges.slice(0, MOST).map((merge, index) => (
          <li key={index} aria-current={index === at ? 'step' : undefined}>
            loop {setLabel(merge.loop)}: {merge.active === null ? 'nothing' : setLabel(merge.active)}
          </li>
        ))}
      </ol>
      {merges.length > MOST && <p className="muted">{merges.length - MOST} more iterations are not listed.</p>}
    </details>
  );
}
