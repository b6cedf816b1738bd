import { useRef, useState } from 'react';
import { useWidthWithin } from '../../components/use-size-of';
import { counted, formatSeconds } from '../../text/quantities';
import { BESIDE, byValue, parallel } from '../../viz/tuner/parallel';
import type { Line } from '../../viz/tuner/parallel';
import { weights } from '../../viz/tuner/race';
import type { Search } from '../../viz/tuner/search-log';

interface Props {
  readonly search: Search;
  readonly chosen: number | null;
  readonly onChoose: (id: number) => void;
}

const [NARROWEST, WIDEST] = [260, 640];
/** The share of schedules that are drawn as fast. */
const FAST = 0.25;

/** The genes of every schedule side by side, and what the values of one gene came to. */
export function ParallelGenes({ search, chosen, onChoose }: Props) {
  const figure = useRef<HTMLElement>(null);
  const width = useWidthWithin(figure, NARROWEST, WIDEST);
  const [wanted, setWanted] = useState<string | null>(null);
  const [held, setHeld] = useState<number | null>(null);
  const picture = parallel(search, width);
  if (picture.lines.length === 0 || picture.axes.length === 0) return null;
  const shares = new Map(weights(search).map(({ name, share }) => [name, share]));
  const telling = [...picture.axes].sort(
    (left, right) => (shares.get(right.gene.name) ?? 0) - (shares.get(left.gene.name) ?? 0),
  )[0];
  const axis = picture.axes.find(({ gene }) => gene.name === wanted) ?? telling;
  const place = axis?.place ?? 0;
  const values = byValue(search, place);
  const said = `${counted(picture.lines.length, 'choice')} of ${counted(picture.axes.length, 'gene')} from top to bottom, with their times below; thick lines are the fastest quarter.`;
  const mark = ({ one, rank }: Line): string => {
    if (one.id === chosen) return 'chosen';
    if (held !== null && one.genes[place] !== held) return 'apart';
    return rank <= FAST ? 'fast' : '';
  };
  // What is pointed out is drawn last, above the others.
  const order = ['apart', '', 'fast', 'chosen'];
  const lines = [...picture.lines].sort((left, right) => order.indexOf(mark(left)) - order.indexOf(mark(right)));
  return (
    <details className="tuner-parallel">
      <summary>Genes of all schedules</summary>
      <figure ref={figure} className="tuner-figure">
        <svg
          width={width}
          height={picture.height}
          viewBox={`0 0 ${width} ${picture.height}`}
          role="img"
          aria-label={said}
        >
          {lines.map((line) => (
            <polyline
              key={line.one.id}
              className={`tuner-line ${mark(line)}`}
              points={line.points}
              onClick={() => onChoose(line.one.id)}
            >
              <title>{`Candidate ${line.one.id}: ${formatSeconds(line.one.seconds ?? 0)}`}</title>
            </polyline>
          ))}
          {picture.axes.map(({ gene, y, ticks }) => (
            <g key={gene.name}>
              <line className="tuner-rule" x1={8} x2={width - 8} y1={y} y2={y} />
              <text className="tuner-axis" x={BESIDE} y={y - 8}>
                {gene.name}
              </text>
              {ticks.map(({ x, textX, text, drawn, anchor }) => (
                <g key={x}>
                  <line className="tuner-rule" x1={x} x2={x} y1={y - 3} y2={y + 3} />
                  {drawn && (
                    <text className="tuner-tick" x={textX} y={y + 15} textAnchor={anchor}>
                      {text}
                    </text>
                  )}
                </g>
              ))}
            </g>
          ))}
          {picture.times !== null && (
            <g>
              <line className="tuner-rule" x1={8} x2={width - 8} y1={picture.times.y} y2={picture.times.y} />
              <text className="tuner-axis" x={BESIDE} y={picture.times.y - 8}>
                time
              </text>
              <text className="tuner-tick" x={BESIDE} y={picture.times.y + 15}>
                {formatSeconds(picture.times.low)}
              </text>
              <text className="tuner-tick" x={width - BESIDE} y={picture.times.y + 15} textAnchor="end">
                {formatSeconds(picture.times.high)}
              </text>
            </g>
          )}
        </svg>
        <figcaption className="caption muted">{said}</figcaption>
      </figure>
      <label className="tuner-slider">
        What the values came to of{' '}
        <select
          value={axis?.gene.name ?? ''}
          onChange={(event) => {
            setWanted(event.target.value);
            setHeld(null);
          }}
        >
          {picture.axes.map(({ gene }) => (
            <option key={gene.name} value={gene.name}>
              {gene.name}
            </option>
          ))}
        </select>
      </label>
      <div className="table-scroll" role="group" aria-label="Values of the gene" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Value</th>
              <th scope="col">Tried</th>
              <th scope="col">Fastest</th>
              <th scope="col">Median</th>
              <th scope="col">Lines</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ value, text, tried, fastest, median }) => (
              <tr key={value}>
                <th scope="row">{text}</th>
                <td>{tried}</td>
                <td>{fastest === null ? '–' : formatSeconds(fastest)}</td>
                <td>{median === null ? '–' : formatSeconds(median)}</td>
                <td>
                  <button
                    type="button"
                    className="button"
                    aria-label={`Only these: ${axis?.gene.name ?? ''} ${text}`}
                    aria-pressed={held === value}
                    disabled={tried === 0}
                    onClick={() => setHeld(held === value ? null : value)}
                  >
                    Only these
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
