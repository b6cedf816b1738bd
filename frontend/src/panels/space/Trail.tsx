import { useMemo } from 'react';
import { centre } from '../../viz/space/frame';
import type { Frame } from '../../viz/space/frame';
import { placeOf } from '../../viz/space/grid';
import type { Grid } from '../../viz/space/grid';
import { arrowOf, trailOf } from '../../viz/space/trail';
import type { Visit } from '../../viz/space/visits';

interface TrailProps {
  readonly frame: Frame;
  readonly grid: Grid;
  readonly slice: number;
  readonly visits: readonly Visit[];
  readonly done: number;
  /** Whether the current step computes. */
  readonly here: boolean;
  /** All arrows in one colour. */
  readonly plain?: boolean;
}

/** The points visited so far, the arrows that lead to the last of them, and the dot. */
export function Trail({ frame, grid, slice, visits, done, here, plain = false }: TrailProps) {
  const trail = useMemo(() => trailOf(frame, grid, slice, visits), [frame, grid, slice, visits]);
  const last = visits[done - 1];
  const place = last === undefined ? null : placeOf(grid, last.at);
  const [x, y] = place === null ? [0, 0] : centre(frame, place.row, place.column);
  return (
    <g aria-hidden="true">
      <path className="space-visited" d={trail.marks.slice(0, trail.before(done)).join('')} />
      {trail.arrows(done).map((arrow) => {
        const { line, head } = arrowOf(arrow);
        return (
          <g
            key={arrow.visit}
            className={`path-${plain ? 2 : (arrow.loop % 6) + 1}`}
            style={{ opacity: arrow.opacity }}
          >
            <path className="space-arrow" d={line} />
            <path className="space-arrow-head" d={head} />
          </g>
        );
      })}
      {place?.slice === slice && (
        <circle
          className="space-dot"
          data-here={here || undefined}
          cx={x}
          cy={y}
          r={Math.max(3.5, frame.cell * 0.28)}
        />
      )}
    </g>
  );
}
