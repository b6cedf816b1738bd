import { useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import type { LaunchView } from '../../../api/types';
import { linkId, links, useLinked } from '../../../state/links';
import type { LaneLoad, LaunchLoop, ThreadPlace, Warp, WarpRow } from '../../../viz/gpu/warps';
import { loopsOn, warpRows } from '../../../viz/gpu/warps';
import { inkOn, viridis } from '../../../viz/space/viridis';
import { counted } from '../../../text/quantities';

const [CELL, LEFT, TOP, RIGHT, MOST_ROWS] = [13, 88, 34, 96, 64];
/** The right edges of the numbers of blocks and of warps. */
const [BLOCK_EDGE, WARP_EDGE] = [34, LEFT - 6];

/** Where the names of the loops on a unit stand. */
const UNIT_EDGES = [
  { unit: 'GPUBlock', x: 0 },
  { unit: 'GPUWarp', x: BLOCK_EDGE + 8 },
  { unit: 'GPUThread', x: LEFT },
] as const;

interface Props {
  readonly launch: LaunchView;
  readonly load: LaneLoad;
  readonly warpSize: number;
  /** The thread of the current step. */
  readonly current: ThreadPlace | null;
  /** Goes to the first point that a thread computes. */
  readonly onSeek: (place: ThreadPlace) => void;
}

/** One row for each warp, one cell for each lane, with the points that the lane computed (docs/sources.toml V15). */
export function LaneMap({ launch, load, warpSize, current, onSeek }: Props) {
  const [at, setAt] = useState<{ readonly row: number; readonly lane: number } | null>(null);
  const all = warpRows(load.warps);
  const rows = all.slice(0, MOST_ROWS);
  const pointed = at === null ? undefined : rows[at.row];
  const place = at === null || pointed?.kind !== 'warp' ? null : placeOf(pointed.warp, at.lane, warpSize);
  const columns = Math.max(1, ...load.warps.map(({ lanes }) => lanes.length));
  const [width, height] = [LEFT + columns * CELL + RIGHT, TOP + rows.length * CELL + 4];

  const point = (row: number, lane: number): void => {
    setAt({ row, lane });
    links.point(launch.loops.flatMap(({ variable }) => (variable === null ? [] : [linkId.variable(variable)])));
  };
  const leave = (): void => {
    setAt(null);
    links.point([]);
  };
  const over = (event: PointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top - TOP) / CELL);
    const lane = Math.floor((event.clientX - box.left - LEFT) / CELL);
    if (row >= 0 && row < rows.length && lane >= 0 && lane < columns) point(row, lane);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { row, lane } = at ?? { row: 0, lane: -1 };
    const moved = {
      ArrowRight: [row, lane + 1],
      ArrowLeft: [row, lane - 1],
      ArrowDown: [row + 1, lane],
      ArrowUp: [row - 1, lane],
      Home: [row, 0],
      End: [row, columns - 1],
    }[event.key];
    if (moved !== undefined) {
      event.preventDefault();
      const [nextRow = 0, nextLane = 0] = moved;
      point(Math.min(Math.max(nextRow, 0), rows.length - 1), Math.min(Math.max(nextLane, 0), columns - 1));
    } else if (event.key === 'Enter' && place !== null) {
      event.preventDefault();
      onSeek(place);
    }
  };
  return (
    <>
      <div
        className="space-scroll gpu-map"
        tabIndex={0}
        role="group"
        aria-label="Map of warps and lanes; arrow keys move over the lanes, Enter goes to a lane’s first point"
        onKeyDown={onKeyDown}
        onBlur={leave}
      >
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`${counted(load.warps.length, 'warp')}; ${load.busy} of ${counted(load.lanes, 'lane')} ${load.busy === 1 ? 'computes' : 'compute'} ${counted(load.total, 'point')}`}
          onPointerMove={over}
          onPointerLeave={leave}
          onClick={() => place !== null && onSeek(place)}
        >
          <Axes launch={launch} columns={columns} />
          {rows.map((row, number) => (
            <Row key={number} row={row} y={TOP + number * CELL} max={load.max} />
          ))}
          <Outline place={current} rows={rows} warpSize={warpSize} className="gpu-current" />
          <Outline place={place} rows={rows} warpSize={warpSize} className="gpu-pointed" />
        </svg>
      </div>
      <p className="caption gpu-lane" role="status">
        {pointed === undefined || at === null
          ? 'Point at a lane, or move over the lanes with the arrow keys.'
          : laneText(pointed, at.lane, warpSize)}
      </p>
      {all.length > rows.length && (
        <p className="muted">
          {all.length - rows.length} more rows are not drawn; the numbers are of all {load.warps.length} warps.
        </p>
      )}
    </>
  );
}

const placeOf = (warp: Warp, lane: number, warpSize: number): ThreadPlace | null =>
  lane < warp.lanes.length ? { block: warp.block, thread: warp.warp * warpSize + lane } : null;

function laneText(row: WarpRow, lane: number, warpSize: number): string {
  if (row.kind === 'idle') return `${rowName(row)}: no lane computes anything.`;
  const { warp, lanes, longest } = row.warp;
  const points = lanes[lane];
  if (points === undefined) return `${rowName(row)} has ${lanes.length} lanes.`;
  const waits = points < longest ? `, and waits ${longest - points} turns for the busiest lane of its warp` : '';
  return `${rowName(row)}, lane ${lane} (thread ${warp * warpSize + lane}): ${counted(points, 'point')}${waits}.`;
}

function rowName(row: WarpRow): string {
  if (row.kind === 'warp') return `Block ${row.warp.block}, warp ${row.warp.warp}`;
  const { first, last, count } = row;
  return first.block === last.block
    ? `Block ${first.block}, warps ${first.warp}–${last.warp}`
    : `The ${count} warps from block ${first.block}, warp ${first.warp} to block ${last.block}, warp ${last.warp}`;
}

/** The numbers of its block, or blocks, and of its warps. */
function numbersOf(row: WarpRow): readonly [string, string] {
  if (row.kind === 'warp') return [String(row.warp.block), String(row.warp.warp)];
  const { first, last } = row;
  return first.block === last.block
    ? [String(first.block), `${first.warp}–${last.warp}`]
    : [`${first.block}–${last.block}`, 'all'];
}

function Row({ row, y, max }: { readonly row: WarpRow; readonly y: number; readonly max: number }) {
  const middle = y + CELL / 2;
  return (
    <g>
      {numbersOf(row).map((numbers, column) => (
        <text
          key={column}
          x={column === 0 ? BLOCK_EDGE : WARP_EDGE}
          y={middle}
          textAnchor="end"
          dominantBaseline="central"
        >
          {numbers}
        </text>
      ))}
      {row.kind === 'idle' ? (
        <text x={LEFT + 6} y={middle} dominantBaseline="central" className="gpu-none">
          no work
        </text>
      ) : (
        <>
          {row.warp.lanes.map((points, lane) => (
            <Lane key={lane} points={points} x={LEFT + lane * CELL} y={y} max={max} />
          ))}
          <text x={LEFT + row.warp.lanes.length * CELL + 6} y={middle} dominantBaseline="central" className="gpu-none">
            {row.warp.total}
            {row.warp.longest > 0 &&
              `, ${(100 * (1 - row.warp.total / row.warp.lanes.length / row.warp.longest)).toFixed(0)} %`}
          </text>
        </>
      )}
    </g>
  );
}

interface LaneProps {
  readonly points: number;
  readonly x: number;
  readonly y: number;
  readonly max: number;
}

function Lane({ points, x, y, max }: LaneProps) {
  const side = CELL - 1;
  if (points === 0) return <rect className="gpu-idle" x={x + 0.5} y={y + 0.5} width={side} height={side} />;
  const share = points / max;
  return (
    <>
      <rect x={x + 0.5} y={y + 0.5} width={side} height={side} fill={viridis(share)} />
      {/* What has no room for two figures is read from the colour, or pointed at. */}
      {points < 10 && (
        <text
          x={x + CELL / 2}
          y={y + CELL / 2}
          className="gpu-points"
          textAnchor="middle"
          dominantBaseline="central"
          style={{ fill: inkOn(share) }}
        >
          {points}
        </text>
      )}
    </>
  );
}

function Axes({ launch, columns }: { readonly launch: LaunchView; readonly columns: number }) {
  const [edge, middle] = [LEFT + columns * CELL, TOP - 8];
  return (
    <g className="space-axes">
      {UNIT_EDGES.map(({ unit, x }) =>
        loopsOn(launch, unit).map((loop, index) => <AxisName key={loop.name} loop={loop} x={x + index * 80} />),
      )}
      <text x={BLOCK_EDGE} y={middle} textAnchor="end">
        block
      </text>
      <text x={WARP_EDGE} y={middle} textAnchor="end">
        warp
      </text>
      <text x={edge + 6} y={middle}>
        points, waiting
      </text>
      {Array.from({ length: Math.ceil(columns / 4) }, (_, four) => (
        <text key={four} x={LEFT + (four * 4 + 0.5) * CELL} y={middle} textAnchor="middle">
          {four * 4}
        </text>
      ))}
    </g>
  );
}

/** The pointer lights it; the keyboard has the same variables in the table of launches. */
function AxisName({ loop, x }: { readonly loop: LaunchLoop; readonly x: number }) {
  const { name, variable } = loop;
  const { props } = useLinked(variable === null ? [] : linkId.variable(variable));
  return (
    <g {...props} className="space-axis-name">
      <rect className="linkable" x={x} y={1} width={Math.max(16, name.length * 7 + 6)} height={16} rx={3} />
      <text x={x + 3} y={9} dominantBaseline="central">
        {name}
      </text>
    </g>
  );
}

interface OutlineProps {
  readonly place: ThreadPlace | null;
  readonly rows: readonly WarpRow[];
  readonly warpSize: number;
  readonly className: string;
}

function Outline({ place, rows, warpSize, className }: OutlineProps) {
  if (place === null) return null;
  const [warp, lane] = [Math.floor(place.thread / warpSize), place.thread % warpSize];
  const row = rows.findIndex((one) => one.kind === 'warp' && one.warp.block === place.block && one.warp.warp === warp);
  if (row === -1) return null;
  return <rect className={className} x={LEFT + lane * CELL} y={TOP + row * CELL} width={CELL} height={CELL} />;
}
