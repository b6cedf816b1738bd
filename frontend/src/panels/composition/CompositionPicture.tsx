import type { StoredPartsView } from '../../api/types';
import { marksOf, shortValue } from '../../viz/composition/parts';
import type { Pointed } from '../../viz/composition/parts';
import { CELL } from '../../viz/composition/picture';
import type { Picture } from '../../viz/composition/picture';
import { moveFocus } from './move-focus';
import { kindOf, paintOf } from './PartPatterns';

interface Props {
  readonly name: string;
  readonly stored: StoredPartsView;
  readonly picture: Picture;
  /** How many entries have gone to their places; the others wait in the grid. */
  readonly moved: number;
  readonly pointed: Pointed | null;
  readonly onPoint: (pointed: Pointed | null) => void;
}

/** The grid next to the arrays of the parts; what is pointed at is marked in both. */
export function CompositionPicture({ name, stored, picture, moved, pointed, onPoint }: Props) {
  const { cells, parts } = stored;
  const marks = marksOf(stored, pointed);
  const valueOf = (entry: number): string => shortValue(cells?.values[entry] ?? '');
  const partOf = (entry: number): number => cells?.parts[entry] ?? -1;
  const point = (next: Pointed) => ({
    onPointerEnter: () => onPoint(next),
    onFocus: () => onPoint(next),
  });
  return (
    <div className="composition-scroll">
      <svg
        className="composition-picture"
        width={picture.width}
        height={picture.height}
        role="group"
        aria-label={`${name} next to its parts`}
        onPointerLeave={() => onPoint(null)}
        onBlur={() => onPoint(null)}
        onKeyDown={moveFocus}
      >
        <text x={0} y={13} className="composition-title">
          {name}
        </text>
        {[...picture.columns, ...picture.rows].map(({ x, y, label }, index) => (
          <text
            key={index}
            x={x}
            y={y}
            className={index < picture.columns.length ? 'composition-axis' : 'composition-axis composition-row'}
            aria-hidden="true"
          >
            {label}
          </text>
        ))}
        <g data-elements="">
          {picture.cells.map(({ x, y, at, entry }, index) =>
            entry < 0 ? (
              <rect key={index} x={x} y={y} width={CELL} height={CELL} className="composition-empty" />
            ) : (
              <g
                key={index}
                role="img"
                tabIndex={entry === 0 ? 0 : -1}
                aria-label={`${name}(${at.join(',')}) = ${valueOf(entry)}, part ${parts[partOf(entry)]?.name ?? ''}`}
                className="composition-entry"
                data-kind={kindOf(partOf(entry))}
                data-lit={marks.entry === entry ? '' : undefined}
                data-dim={marks.part !== null && marks.entry === null && marks.part !== partOf(entry) ? '' : undefined}
                transform={`translate(${x} ${y})`}
                {...point({ kind: 'entry', entry })}
              >
                <rect width={CELL} height={CELL} fill={entry < moved ? paintOf(partOf(entry)) : undefined} />
                <text x={CELL / 2} y={CELL / 2}>
                  {valueOf(entry)}
                </text>
              </g>
            ),
          )}
        </g>
        {picture.parts.map(({ part, x, y, rows, places }) => (
          <g
            key={part}
            data-elements=""
            data-kind={kindOf(part)}
            data-dim={marks.part !== null && marks.part !== part ? '' : undefined}
            role="group"
            aria-label={`Places of ${parts[part]?.name ?? ''}`}
          >
            <text x={x} y={y + 13} className="composition-title" {...point({ kind: 'part', part })}>
              {parts[part]?.name}
            </text>
            {rows.map((row, index) => (
              <text key={index} x={row.x} y={row.y} className="composition-axis composition-row" aria-hidden="true">
                {row.label}
              </text>
            ))}
            {rows.length === 0 && (
              <text x={x} y={y + 34} className="composition-axis composition-none">
                no entries
              </text>
            )}
            {places.map(({ place, entry, x: left, y: top }) => (
              <g
                key={place}
                role="img"
                tabIndex={place === 0 ? 0 : -1}
                aria-label={
                  entry < 0
                    ? `place ${place}: padding`
                    : entry < moved
                      ? `place ${place}: ${name}(${cells?.coordinates[entry]?.join(',') ?? ''}) = ${valueOf(entry)}`
                      : `place ${place}: still empty`
                }
                className="composition-place"
                data-padding={entry < 0 ? '' : undefined}
                data-lit={marks.part === part && marks.place === place ? '' : undefined}
                transform={`translate(${left} ${top})`}
                {...point({ kind: 'place', part, place })}
              >
                <rect width={CELL} height={CELL} fill={entry >= 0 && entry < moved ? paintOf(part) : undefined} />
                <text x={CELL / 2} y={CELL / 2}>
                  {entry < 0 ? '·' : entry < moved ? valueOf(entry) : ''}
                </text>
              </g>
            ))}
          </g>
        ))}
        <Flight picture={picture} moved={moved} valueOf={valueOf} />
      </svg>
    </div>
  );
}

interface FlightProps {
  readonly picture: Picture;
  readonly moved: number;
  readonly valueOf: (entry: number) => string;
}

/** The entry that moved last, on its way from the grid to its place. */
function Flight({ picture, moved, valueOf }: FlightProps) {
  const entry = moved - 1;
  const from = picture.cells.find((cell) => cell.entry === entry);
  const to = picture.parts.flatMap(({ places }) => places).find((place) => place.entry === entry);
  const all = picture.cells.filter((cell) => cell.entry >= 0).length;
  if (from === undefined || to === undefined || moved === all) return null;
  return (
    <g
      key={entry}
      className="composition-flight"
      aria-hidden="true"
      style={{ '--from': `translate(${from.x}px, ${from.y}px)`, '--to': `translate(${to.x}px, ${to.y}px)` } as object}
    >
      <rect width={CELL} height={CELL} />
      <text x={CELL / 2} y={CELL / 2}>
        {valueOf(entry)}
      </text>
    </g>
  );
}
