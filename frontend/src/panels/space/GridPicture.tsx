import { memo, useContext, useMemo } from 'react';
import type { ReactNode } from 'react';
import { linkId, useLinked } from '../../state/links';
import type { Cell, Grid, Slice } from '../../viz/space/grid';
import { frameOf } from '../../viz/space/frame';
import type { Frame } from '../../viz/space/frame';
import { GridRoomContext } from './grid-room';

interface Props {
  readonly grid: Grid;
  readonly slice: Slice;
  /** What the picture shows, for those who do not see it. */
  readonly label: string;
  /** Px that the cells may take; without it, those of the panel. */
  readonly room?: number | undefined;
  /** Drawn below the cells (bands, tints), with the same frame. */
  readonly under?: (frame: Frame) => ReactNode;
  /** Drawn above the cells (trails, cuts). */
  readonly over?: (frame: Frame) => ReactNode;
}

/** One slice of a tensor as a grid: rows, columns, and a mark in each cell that is not zero. */
export function GridPicture({ grid, slice, label, room, under, over }: Props) {
  const { rows, columns } = grid;
  const alone = useContext(GridRoomContext);
  const frame = useMemo(() => frameOf(rows, columns, room ?? alone), [rows, columns, room, alone]);
  return (
    <figure className="space-grid">
      {slice.at.length > 0 && (
        <figcaption>
          {slice.at.map((at, dimension) => `${grid.variables[dimension] ?? ''} = ${at}`).join(', ')}
        </figcaption>
      )}
      <svg
        width={frame.width}
        height={frame.height}
        viewBox={`0 0 ${frame.width} ${frame.height}`}
        role="img"
        aria-label={label}
      >
        {under?.(frame)}
        <Lines frame={frame} />
        <Cells frame={frame} cells={slice.cells} />
        {over?.(frame)}
        {frame.cell >= 20 && <Values frame={frame} cells={slice.cells} />}
        <Axes frame={frame} grid={grid} />
      </svg>
    </figure>
  );
}

const Lines = memo(function Lines({ frame }: { readonly frame: Frame }) {
  const { left, top, cell, rows, columns } = frame;
  const across = Array.from({ length: rows + 1 }, (_, row) => `M${left} ${top + row * cell}h${columns * cell}`);
  const down = Array.from({ length: columns + 1 }, (_, column) => `M${left + column * cell} ${top}v${rows * cell}`);
  return <path className="space-lines" d={[...across, ...down].join('')} />;
});

const Cells = memo(function Cells({ frame, cells }: { readonly frame: Frame; readonly cells: readonly Cell[] }) {
  const { left, top, cell } = frame;
  const inset = cell > 12 ? 2 : cell > 6 ? 1 : 0;
  const side = cell - 2 * inset;
  const marks = cells.map(
    ({ row, column }) => `M${left + column * cell + inset} ${top + row * cell + inset}h${side}v${side}h${-side}z`,
  );
  return <path className="space-nonzeros" d={marks.join('')} />;
});

/** At the foot of the cell: the path goes through its middle. */
const Values = memo(function Values({ frame, cells }: { readonly frame: Frame; readonly cells: readonly Cell[] }) {
  const { left, top, cell } = frame;
  return cells.map(({ row, column, position, value }) => (
    <text
      key={position}
      className="space-value"
      x={left + (column + 0.96) * cell - 2}
      y={top + (row + 0.96) * cell - 2}
      fontSize={Math.min(13, cell * 0.42)}
    >
      {String(value)}
    </text>
  ));
});

function Axes({ frame, grid }: { readonly frame: Frame; readonly grid: Grid }) {
  const { left, top, cell } = frame;
  return (
    <g className="space-axes">
      {frame.columnLabels.map((column) => (
        <text key={`c${column}`} x={left + (column + 0.5) * cell} y={top - 5} textAnchor="middle">
          {column}
        </text>
      ))}
      {grid.rowVariable !== null &&
        frame.rowLabels.map((row) => (
          <text key={`r${row}`} x={left - 5} y={top + (row + 0.5) * cell} textAnchor="end" dominantBaseline="central">
            {row}
          </text>
        ))}
      {grid.rowVariable !== null && <AxisName variable={grid.rowVariable} x={8} y={top + (grid.rows * cell) / 2} />}
      <AxisName variable={grid.columnVariable} x={left + (grid.columns * cell) / 2} y={9} />
    </g>
  );
}

/** Not in the order of focus: the variables have their stops in the graphs; here the pointer lights them. */
function AxisName({ variable, x, y }: { readonly variable: string; readonly x: number; readonly y: number }) {
  const { props } = useLinked(linkId.variable(variable));
  return (
    <g {...props} className="space-axis-name">
      <rect className="linkable" x={x - 8} y={y - 8} width={16} height={16} rx={3} />
      <text x={x} y={y} textAnchor="middle" dominantBaseline="central">
        {variable}
      </text>
    </g>
  );
}
