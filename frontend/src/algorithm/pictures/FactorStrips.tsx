import type { DecompositionResult } from '../../api/types';
import { formatCount, threeDigits } from '../../text/quantities';
import { barsOf } from '../../viz/decomposition/strip';

export type Strips = NonNullable<DecompositionResult['strips']>;

interface Props {
  readonly strips: Strips;
  readonly weights: readonly number[];
  readonly shape: readonly number[];
}

const WIDTH = 144;
const HEIGHT = 30;

/** The factors as small multiples: a line for each component, a strip for each mode. The cells name the largest rows, so
 *  that the picture can be read as text. */
export function FactorStrips({ strips, weights, shape }: Props) {
  const components = [...new Set(strips.map(({ component }) => component))];
  if (components.length === 0) return null;
  return (
    <section className="algorithm-panel" aria-label="Factors">
      <h2>Factors</h2>
      <p className="caption muted">
        Each bar is the entry of the largest magnitude among neighbouring rows, upwards where it is positive; each strip
        has its own scale. Below it are the rows that weigh most.
        {components.length < weights.length &&
          ` The ${String(components.length)} components with the largest weights of ${String(weights.length)}.`}
      </p>
      <div className="scrolled" tabIndex={0} role="region" aria-label="Table of factors">
        <table className="strips">
          <thead>
            <tr>
              <th scope="col">Component</th>
              {shape.map((size, mode) => (
                <th scope="col" key={mode}>
                  Mode {mode}, {formatCount(size)} rows
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {components.map((component) => (
              <tr key={component}>
                <th scope="row">
                  {component + 1}, λ {(weights[component] ?? 0).toPrecision(3)}
                </th>
                {strips
                  .filter((strip) => strip.component === component)
                  .map(({ mode, bins, top }) => (
                    <td key={mode}>
                      <svg
                        viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
                        width={WIDTH}
                        height={HEIGHT}
                        className="factor-strip"
                        aria-hidden="true"
                      >
                        <line x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
                        {barsOf(bins, WIDTH, HEIGHT).map(({ negative, ...bar }) => (
                          <rect key={bar.x} {...bar} className={negative ? 'negative' : ''} />
                        ))}
                      </svg>
                      <span className="caption">
                        {top.length === 0
                          ? 'all zero'
                          : top.map(({ row, value }) => `${formatCount(row)}: ${threeDigits(value)}`).join(', ')}
                      </span>
                    </td>
                  ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
