import { useRef } from 'react';
import { useWidthWithin } from '../../components/use-size-of';
import { counted, formatBytes, formatSeconds } from '../../text/quantities';
import { costs, front, paretoPicture } from '../../viz/tuner/pareto';
import type { Search } from '../../viz/tuner/search-log';

interface Props {
  readonly search: Search;
  readonly chosen: number | null;
  readonly onChoose: (id: number) => void;
}

const [NARROWEST, WIDEST, HEIGHT] = [260, 640, 220];

/** Time against memory of every schedule, and those that no other beats in both. */
export function Pareto({ search, chosen, onChoose }: Props) {
  const figure = useRef<HTMLElement>(null);
  const width = useWidthWithin(figure, NARROWEST, WIDEST);
  const all = costs(search);
  const best = front(all);
  const picture = paretoPicture(all, width, HEIGHT);
  const said = sentence(all.length, best.length, new Set(all.map(({ bytes }) => bytes)).size);
  return (
    <details className="tuner-pareto" open>
      <summary>Time and memory</summary>
      <figure ref={figure} className="tuner-figure">
        {all.length > 0 && (
          <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={said}>
            {picture.times.map(({ y, seconds }) => (
              <g key={y}>
                <line className="tuner-rule" x1={64} x2={width - 8} y1={y} y2={y} />
                <text className="tuner-tick" x={58} y={y + 4} textAnchor="end">
                  {formatSeconds(seconds)}
                </text>
              </g>
            ))}
            {picture.sizes.map(({ x, bytes }, place) => (
              <text
                key={x}
                className="tuner-tick"
                x={x}
                y={HEIGHT - 8}
                textAnchor={picture.sizes.length === 1 ? 'middle' : place === 0 ? 'start' : 'end'}
              >
                {formatBytes(bytes)}
              </text>
            ))}
            <polyline className="tuner-best" points={picture.stairs} />
            {picture.points.map(({ cost, x, y, best: unbeaten }) => (
              <g
                key={cost.one.id}
                className={`tuner-cost ${cost.one.id === chosen ? 'chosen' : ''}`}
                onClick={() => onChoose(cost.one.id)}
              >
                <title>{`Candidate ${cost.one.id}: ${formatSeconds(cost.seconds)}, ${formatBytes(cost.bytes)}`}</title>
                {unbeaten && <circle className="tuner-ring" cx={x} cy={y} r={7} />}
                <circle cx={x} cy={y} r={cost.one.id === chosen ? 5.5 : 3.5} />
              </g>
            ))}
          </svg>
        )}
        <figcaption className="caption muted">
          {said}
          {all.length > 0 &&
            ' From left to right memory: operands as they are stored, results and workspaces, those of threads once for each; higher is slower. Rings are what nothing beats in both.'}
        </figcaption>
      </figure>
      {best.length > 0 && (
        <div className="table-scroll" role="group" aria-label="What nothing beats in both" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Candidate</th>
                <th scope="col">Time</th>
                <th scope="col">Memory</th>
                <th scope="col">Genes</th>
              </tr>
            </thead>
            <tbody>
              {best.map(({ one, seconds, bytes }) => (
                <tr key={one.id}>
                  <th scope="row">{one.id}</th>
                  <td>{formatSeconds(seconds)}</td>
                  <td>{formatBytes(bytes)}</td>
                  <td>
                    <button
                      type="button"
                      className="button"
                      aria-label={`Show candidate ${one.id}`}
                      aria-pressed={one.id === chosen}
                      onClick={() => onChoose(one.id)}
                    >
                      Show
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function sentence(all: number, best: number, sizes: number): string {
  if (all === 0) return 'Of no schedule here both time and memory are known.';
  if (sizes === 1) return `All ${counted(all, 'schedule')} take the same memory, so that the fastest is the best.`;
  return `Of ${counted(all, 'schedule')}, ${best} ${best === 1 ? 'is' : 'are'} beaten by none in both time and memory.`;
}
