import { useId, useRef } from 'react';
import type { StatementRangesView } from '../../api/types';
import { useSizeOf } from '../../components/use-size-of';
import { barText, numberLine } from '../../viz/ranges/number-line';

const LABEL = 150;
/** Of the axis: what it takes where there is room, or before the room is known, and the least that can be read. */
const [WIDEST, NARROWEST] = [360, 160];
const ROW = 22;

/** The intervals of one statement for the numbers that stand for its sizes; the table beside it says the same. */
export function NumberLinePicture({ statement }: { readonly statement: StatementRangesView }) {
  const title = useId();
  const frame = useRef<HTMLDivElement>(null);
  const room = useSizeOf(frame)?.width ?? LABEL + WIDEST;
  const line = numberLine(statement);
  if (line === null) return <div ref={frame} />;
  const width = Math.max(NARROWEST, Math.min(WIDEST, Math.floor(room) - LABEL));
  const scale = (width - 20) / (line.to - line.from);
  const x = (value: number) => LABEL + 10 + (value - line.from) * scale;
  const height = line.bars.length * ROW + 24;
  return (
    <div ref={frame}>
      <svg
        className="ranges-line"
        role="img"
        aria-labelledby={title}
        viewBox={`0 0 ${LABEL + width} ${height}`}
        width={LABEL + width}
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
    </div>
  );
}

const short = (text: string): string => (text.length > 20 ? `${text.slice(0, 19)}…` : text);
