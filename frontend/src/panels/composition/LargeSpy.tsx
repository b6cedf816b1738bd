import { useMemo } from 'react';
import type { StoredPartsView } from '../../api/types';
import { formatCount } from '../../text/quantities';
import type { Pointed } from '../../viz/composition/parts';
import { marksOf } from '../../viz/composition/parts';
import { kindOf } from './PartPatterns';

interface Props {
  readonly name: string;
  readonly stored: StoredPartsView;
  readonly pointed: Pointed | null;
  readonly onPoint: (pointed: Pointed | null) => void;
}

const SIDE = 320;
const SHADES = 4;

/** Where the entries of each part lie: each entry a square, or of many the part that has most of a bin. */
export function LargeSpy({ name, stored, pointed, onPoint }: Props) {
  const { shape, cells, raster, parts } = stored;
  const [rows, columns] = [shape.length > 1 ? (shape.at(-2) ?? 1) : 1, shape.at(-1) ?? 1];
  const scale = SIDE / Math.max(rows, columns, 1);
  const marks = marksOf(stored, pointed);
  const paths = useMemo(() => pathsOf(stored, scale), [stored, scale]);
  const near = (x: number, y: number): number | null => {
    if (cells === null) return null;
    let [best, distance] = [-1, 9];
    cells.coordinates.forEach((at, entry) => {
      const far = Math.hypot(
        ((at.at(-1) ?? 0) + 0.5) * scale - x,
        ((at.length > 1 ? (at.at(-2) ?? 0) : 0) + 0.5) * scale - y,
      );
      if (far < distance) [best, distance] = [entry, far];
    });
    return best < 0 ? null : best;
  };
  const entry = marks.entry;
  const at = entry === null ? null : (cells?.coordinates[entry] ?? null);
  const summed = shape.length > 2 ? ' of the last two dimensions' : '';
  const words =
    raster === null
      ? `Each square is an entry of ${name}${summed}, painted by its part.`
      : `${formatCount(stored.entries)} entries are too many to draw one by one: each square stands for ${formatCount(raster.row_step)} × ${formatCount(raster.column_step)} cells${summed}, painted by the part that has most of them.`;
  return (
    <figure className="composition-spy">
      <svg
        width={Math.max(8, columns * scale)}
        height={Math.max(8, rows * scale)}
        role="img"
        aria-label={`Where the parts of ${name} lie. ${parts.map((part) => `${part.name}: ${formatCount(part.entries)} entries`).join(', ')}`}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const found = near(event.clientX - box.x, event.clientY - box.y);
          onPoint(found === null ? null : { kind: 'entry', entry: found });
        }}
        onPointerLeave={() => onPoint(null)}
      >
        {paths.map(({ part, shade, path }) => (
          <path
            key={`${part} ${shade}`}
            d={path}
            data-kind={kindOf(part)}
            className="composition-dots"
            data-dim={marks.part !== null && marks.entry === null && marks.part !== part ? '' : undefined}
            style={{ fillOpacity: shade / SHADES }}
          />
        ))}
        {at !== null && (
          <rect
            className="composition-here"
            x={(at.at(-1) ?? 0) * scale - 3}
            y={(at.length > 1 ? (at.at(-2) ?? 0) : 0) * scale - 3}
            width={Math.max(1, scale) + 6}
            height={Math.max(1, scale) + 6}
          />
        )}
      </svg>
      <figcaption className="caption muted">{words} Point at a row of the table to see one part alone.</figcaption>
    </figure>
  );
}

interface Dots {
  readonly part: number;
  /** From 1 to {@link SHADES}. */
  readonly shade: number;
  readonly path: string;
}

/** One path for each part and shade: there are thousands of squares. */
function pathsOf({ cells, raster, shape }: StoredPartsView, scale: number): readonly Dots[] {
  const paths = new Map<string, Dots>();
  const add = (part: number, shade: number, x: number, y: number, width: number, height: number): void => {
    const key = `${part} ${shade}`;
    const mark = `M${x.toFixed(1)} ${y.toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}h${(-width).toFixed(1)}z`;
    paths.set(key, { part, shade, path: (paths.get(key)?.path ?? '') + mark });
  };
  if (raster !== null) {
    const most = Math.max(1, ...raster.counts.flat());
    raster.parts.forEach((row, y) =>
      row.forEach((part, x) => {
        const shade = Math.max(1, Math.ceil((SHADES * (raster.counts[y]?.[x] ?? 0)) / most));
        const [width, height] = [raster.column_step * scale, raster.row_step * scale];
        if (part >= 0) add(part, shade, x * width, y * height, width, height);
      }),
    );
  }
  const side = Math.max(scale, 2.5);
  cells?.coordinates.forEach((at, entry) =>
    add(
      cells.parts[entry] ?? 0,
      SHADES,
      (at.at(-1) ?? 0) * scale,
      (shape.length > 1 ? (at.at(-2) ?? 0) : 0) * scale,
      side,
      side,
    ),
  );
  return [...paths.values()];
}
