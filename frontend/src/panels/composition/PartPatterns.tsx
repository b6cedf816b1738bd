import { KINDS } from '../../viz/composition/parts';

/** The number of the colour and the pattern of a part. */
export const kindOf = (part: number): number => part % KINDS;

const idOf = (part: number): string => `part-pattern-${kindOf(part)}`;

/** Paint for what belongs to a part. */
export const paintOf = (part: number): string => `url(#${idOf(part)})`;

/** Lines over the tint, in a square of 8: no two parts differ by colour alone. */
const LINES = [
  '',
  'M-2 10L10 -2',
  'M-2 -2L10 10',
  'M0 4H8',
  'M4 0V8',
  'M0 4H8M4 0V8',
  'M-2 10L10 -2M-2 -2L10 10',
  'M2 2h1v1h-1zM6 6h1v1h-1z',
];

/** What {@link paintOf} refers to; once in the panel. */
export function PartPatterns() {
  return (
    <svg className="part-patterns" width="0" height="0" aria-hidden="true">
      <defs>
        {LINES.map((lines, kind) => (
          <pattern key={kind} id={idOf(kind)} width="8" height="8" patternUnits="userSpaceOnUse" data-kind={kind}>
            <rect width="8" height="8" className="part-tint" />
            <path d={lines} className="part-lines" />
          </pattern>
        ))}
      </defs>
    </svg>
  );
}

/** A small square of the part's paint, for tables and legends. */
export function Swatch({ part }: { readonly part: number }) {
  return (
    <svg className="part-swatch" width="14" height="14" aria-hidden="true" data-kind={kindOf(part)}>
      <rect x="0.5" y="0.5" width="13" height="13" fill={paintOf(part)} />
    </svg>
  );
}
