import type { LatticeView } from '../../api/types';
import { linkId, useLinked } from '../../state/links';
import { setLabel } from '../../viz/lattice/points';
import type { Strip, Strips } from '../../viz/lattice/strips';

const CELL = 30;
const ROW = 34;
const NAME = 92;
const TOP = 22;
/** More coordinates than this are shown as a window that follows the cursor. */
const WINDOW = 40;

interface Properties {
  readonly lattice: LatticeView;
  readonly strips: Strips;
}

/** The stored coordinates of every operand, one under the other, with their cursors; below, what was computed. */
export default function StripsPicture({ lattice, strips }: Properties) {
  const first = Math.max(0, Math.min(strips.size - WINDOW, (strips.coordinate ?? 0) - WINDOW / 2));
  const shown = Array.from({ length: Math.min(strips.size, WINDOW) }, (_, index) => first + index);
  const x = (coordinate: number): number => NAME + (coordinate - first) * CELL;
  const height = TOP + (strips.strips.length + 1) * ROW;
  const width = NAME + shown.length * CELL + 4;
  const inside = (coordinate: number): boolean => coordinate >= first && coordinate < first + shown.length;
  return (
    <div className="lattice-strips">
      <svg
        role="group"
        aria-label={`Cursors of the merge at ${lattice.variable}`}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
      >
        {strips.coordinate !== null && (
          <rect className="strip-now" x={x(strips.coordinate)} y={0} width={CELL} height={height} rx={4} />
        )}
        <text className="strip-name" x={0} y={12}>
          {lattice.variable} =
        </text>
        {shown.map((coordinate) => (
          <text key={coordinate} className="strip-coordinate" x={x(coordinate) + CELL / 2} y={12}>
            {coordinate}
          </text>
        ))}
        {strips.strips.map((strip, row) => (
          <Row key={strip.operand} strip={strip} y={TOP + row * ROW} x={x} inside={inside} />
        ))}
        <text className="strip-name" x={0} y={TOP + strips.strips.length * ROW + ROW / 2}>
          computed
        </text>
        {strips.visited
          .filter(({ coordinate }) => inside(coordinate))
          .map(({ coordinate, active }, index) => (
            <text
              key={index}
              className={active === null ? 'strip-outcome strip-nothing' : 'strip-outcome'}
              x={x(coordinate) + CELL / 2}
              y={TOP + strips.strips.length * ROW + ROW / 2}
            >
              <title>{active === null ? 'nothing' : setLabel(active)}</title>
              {active === null ? '–' : '✓'}
            </text>
          ))}
      </svg>
      {strips.size > WINDOW && (
        <p className="muted">
          Coordinates {first} to {first + shown.length - 1} of {strips.size}.
        </p>
      )}
    </div>
  );
}

interface RowProperties {
  readonly strip: Strip;
  readonly y: number;
  readonly x: (coordinate: number) => number;
  readonly inside: (coordinate: number) => boolean;
}

function Row({ strip, y, x, inside }: RowProperties) {
  const { props } = useLinked(linkId.level(strip.tensor, strip.level));
  const cells = strip.cells.filter(({ coordinate }) => inside(coordinate));
  const says =
    strip.position === null
      ? 'used up'
      : `at ${strip.cells.find((cell) => cell.position === strip.position)?.coordinate ?? '–'}`;
  return (
    <g
      {...props}
      className="strip"
      role="button"
      tabIndex={0}
      aria-label={`${strip.operand}: coordinates ${strip.cells.map(({ coordinate }) => coordinate).join(', ') || 'none here'}; cursor ${says}`}
      data-cursor={strip.position ?? ''}
    >
      <rect className="strip-hit linkable" x={0} y={y + 2} width={NAME - 6} height={ROW - 8} rx={4} />
      <text className="strip-name" x={6} y={y + ROW / 2 - 2}>
        {strip.operand}
      </text>
      {cells.map(({ coordinate, position }) => (
        <g key={position} transform={`translate(${x(coordinate)} ${y})`}>
          <rect
            className={strip.position === null || position < strip.position ? 'strip-cell strip-passed' : 'strip-cell'}
            x={2}
            y={2}
            width={CELL - 4}
            height={ROW - 12}
            rx={3}
          />
          <text className="strip-value" x={CELL / 2} y={ROW / 2 - 4}>
            {coordinate}
          </text>
          {position === strip.position && <path className="strip-cursor" d={`M${CELL / 2 - 6} ${ROW - 3}l6 -7l6 7z`} />}
        </g>
      ))}
    </g>
  );
}
