import { useRef } from 'react';
import { useWidthWithin } from '../../components/use-size-of';
import { formatSeconds } from '../../text/quantities';
import { scatter } from '../../viz/tuner/search-log';
import type { Search } from '../../viz/tuner/search-log';

interface Props {
  readonly search: Search;
  readonly chosen: number | null;
  readonly onChoose: (id: number) => void;
}

/** Px: drawn as wide as the pane, so that texts keep their size. */
const [NARROWEST, WIDEST, HEIGHT] = [260, 900, 280];
/** Px that the number of a generation needs. */
const COLUMN = 24;

/** Every candidate by generation and time. The sliders below choose what a click here does. */
export function Population({ search, chosen, onChoose }: Props) {
  const figure = useRef<HTMLElement>(null);
  const width = useWidthWithin(figure, NARROWEST, WIDEST);
  const picture = scatter(search, width, HEIGHT);
  const parents = search.candidates.find(({ id }) => id === chosen)?.parents ?? [];
  const times = search.candidates.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]));
  const best = Math.min(...times);
  const said =
    times.length === 0
      ? 'No candidate has been timed yet'
      : `${search.candidates.length} candidates in ${search.generations.length} generations, the fastest ${formatSeconds(best)}`;
  return (
    <figure ref={figure} className="tuner-figure">
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={said}>
        {picture.ticks.map(({ y, seconds }) => (
          <g key={y}>
            <line className="tuner-rule" x1={64} x2={width - 8} y1={y} y2={y} />
            <text className="tuner-tick" x={58} y={y + 4} textAnchor="end">
              {formatSeconds(seconds)}
            </text>
          </g>
        ))}
        <polyline className="tuner-best" points={picture.best} />
        {picture.points.map(({ one, x, y }) => {
          const parent = parents.indexOf(one.id);
          const mark = one.id === chosen ? 'chosen' : parent >= 0 ? `parent-${parent}` : '';
          return (
            <g key={one.id} className={`tuner-point ${mark}`} onClick={() => onChoose(one.id)}>
              <title>{`Candidate ${one.id}, ${one.origin}: ${formatSeconds(one.seconds ?? 0)}`}</title>
              {one.origin === 'elite' && <circle className="tuner-ring" cx={x} cy={y} r={7} />}
              <circle cx={x} cy={y} r={one.id === chosen || parent >= 0 ? 5.5 : 3.5} />
            </g>
          );
        })}
        {picture.failed.map(({ one, x, y }) => (
          <g key={one.id} className="tuner-failed" onClick={() => onChoose(one.id)}>
            <title>{`Candidate ${one.id}: ${one.reason}`}</title>
            <line x1={x} x2={x} y1={y - 5} y2={y + 5} />
          </g>
        ))}
        {picture.columns.length * COLUMN <= width &&
          picture.columns.map(({ x, generation, refused }) => (
            <text key={generation} className="tuner-tick" x={x} y={HEIGHT - 14} textAnchor="middle">
              {generation}
              <tspan x={x} dy={12}>
                {refused > 0 ? `−${refused}` : ''}
              </tspan>
            </text>
          ))}
      </svg>
      <figcaption className="caption muted">
        {said}. From left to right generations, below each how many draws did not compile; higher is slower. Rings are
        elites, the line is the fastest so far, ticks at the bottom could not be timed.
      </figcaption>
    </figure>
  );
}
