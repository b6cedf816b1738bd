import { useId } from 'react';
import type { StatementRangesView } from '../../api/types';
import { barText, numberLine } from '../../viz/ranges/number-line';

const LABEL = 150;
const WIDTH = 360;
const ROW = 22;

/** The intervals of one statement for the numbers that stand for its sizes; the table beside it says the same. */
export function NumberLinePicture({ statement }: { readonly statement: StatementRangesView }) {
  const title = useId();
  const line = numberLine(statement);
  if (line === null) return null;
  const scale = (WIDTH - 20) / (line.to - line.from);
  const x = (value: number) => LABEL + 10 + (value - line.from) * scale;
  const height = line.bars.length * ROW + 24;
  return (
    <svg
      className="ranges-line"
      role="img"
      aria-labelledby={title}
      viewBox={`0 0 ${LABEL + WIDTH} ${height}`}
      width={LABEL + WIDTH}
      height={height}
    >
      <title id={title}>{`${line.bars.map(barText).join('; ')}.`}</title>
      {line.ticks.map((tick) => (
        <g key={tick}>
          <line className="ranges-tick" x1={x(tick)} x2={x(tick)} y1={0} y2={height - 18} />
          <text x={x(tick)} y={height - 4} textAnchor="middle">
            {tick}
          </text>
        </g>
      ))}
      {line.bars.map((bar, row) => (
        <g key={row} className={bar.by === null ? 'ranges-answer' : 'ranges-access'}>
          <text x={LABEL} y={row * ROW + 15} textAnchor="end">
            {bar.by === null ? bar.variable : short(bar.by)}
          </text>
          <rect
            x={x(bar.start)}
            y={row * ROW + 4}
            width={Math.max(2, (bar.end - bar.start) * scale)}
            height={ROW - 8}
          />
        </g>
      ))}
    </svg>
  );
}

const short = (text: string): string => (text.length > 20 ? `${text.slice(0, 19)}…` : text);
