import { useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import type { StoredPartsView } from '../../api/types';
import { useStore } from '../../state/store';
import { formatCount } from '../../text/quantities';
import { edgesOf, withEdgeAt } from '../../viz/composition/format-text';
import type { Edge } from '../../viz/composition/format-text';
import { kindOf, paintOf, Swatch } from './PartPatterns';

interface Props {
  readonly name: string;
  /** The format as it is written: moving an edge writes it. */
  readonly text: string;
  readonly stored: StoredPartsView;
}

const [BAR, HEIGHT, TOP, LEFT, BOTTOM] = [44, 110, 16, 44, 34];

/** How long rows or pieces are, on an axis of powers of two, with the edges of the buckets. */
export function Buckets({ name, text, stored }: Props) {
  const store = useStore();
  const { bins, ranges, empty, longest } = stored.lengths;
  const edges = edgesOf(text);
  const picture = useRef<SVGSVGElement>(null);
  const [held, setHeld] = useState<number | null>(null);
  const shown = Math.max(bins.length, ...edges.map(({ at }) => binOf(at) + 2));
  const most = Math.max(1, ...bins.map(({ stored: counts, fibres }) => Math.max(total(counts), fibres)));
  const tall = (count: number): number => ((HEIGHT - TOP) * count) / most;
  const atOf = (edge: Edge, bin: number): number =>
    edge.scale === 'power' ? 2 ** bin : bin === binOf(edge.at) ? edge.at : 2 ** bin;
  const move = (edge: Edge, bin: number): void => {
    const next = withEdgeAt(text, edge, atOf(edge, Math.min(12, Math.max(0, bin))));
    if (next !== text) store.update({ kind: 'format', tensor: name, text: next });
  };
  const drag = (event: PointerEvent, edge: Edge, index: number): void => {
    const box = picture.current?.getBoundingClientRect();
    if (held !== index || box === undefined) return;
    move(edge, Math.round((event.clientX - box.x - LEFT) / BAR) - 1);
  };
  const onKeyDown = (event: KeyboardEvent, edge: Edge): void => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
    const to =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? 12
          : event.key in steps
            ? binOf(edge.at) + (steps[event.key] ?? 0)
            : null;
    if (to === null) return;
    event.preventDefault();
    move(edge, to);
  };
  const unit = stored.parts.some(({ pieces }) => pieces !== null) ? 'Rows and pieces' : 'Rows';
  const cut = ranges > 1 ? `, cut at ${ranges} ranges of columns` : '';
  const width = LEFT + shown * BAR + 12;
  return (
    <section className="composition-part" aria-label="Buckets">
      <h3>Lengths of rows and pieces</h3>
      <p className="caption muted">
        {`${unit} by how many entries they have${cut}; the outlines are the rows before they are stored. The longest has ${formatCount(longest)}${empty > 0 ? `; ${empty === 1 ? '1 row is' : `${formatCount(empty)} rows are`} empty` : ''}.`}
        {edges.some(({ number }) => number !== null) &&
          ' Drag an edge, or move it with the arrow keys, to change the format.'}
      </p>
      <div className="composition-scroll">
        <svg
          ref={picture}
          className="composition-buckets"
          width={width}
          height={HEIGHT + BOTTOM}
          role="group"
          aria-label={`Histogram of lengths in ${name}`}
        >
          <line x1={LEFT} x2={width - 8} y1={HEIGHT} y2={HEIGHT} className="composition-line" />
          <text x={LEFT - 6} y={TOP + 4} className="composition-axis composition-row" aria-hidden="true">
            {formatCount(most)}
          </text>
          {Array.from({ length: shown }, (_, bin) => {
            const found = bins[bin];
            let below = 0;
            return (
              <g key={bin} transform={`translate(${LEFT + bin * BAR} 0)`}>
                {found !== undefined && (
                  <rect
                    x={4}
                    y={HEIGHT - tall(found.fibres)}
                    width={BAR - 8}
                    height={tall(found.fibres)}
                    className="composition-fibres"
                  />
                )}
                {found?.stored.map((count, part) => {
                  below += count;
                  return count === 0 ? null : (
                    <rect
                      key={part}
                      x={8}
                      y={HEIGHT - tall(below)}
                      width={BAR - 16}
                      height={tall(count)}
                      fill={paintOf(part)}
                      data-kind={kindOf(part)}
                      className="composition-stack"
                    >
                      <title>{`${stored.parts[part]?.name ?? ''}: ${formatCount(count)}`}</title>
                    </rect>
                  );
                })}
                <text x={BAR / 2} y={HEIGHT + 14} className="composition-axis" aria-hidden="true">
                  {rangeOf(bin)}
                </text>
              </g>
            );
          })}
          {edges.map((edge, index) => {
            const x = LEFT + (binOf(edge.at) + 1) * BAR;
            const line = <line x1={x} x2={x} y1={6} y2={HEIGHT + 4} />;
            return edge.number === null ? (
              <g key={index} className="composition-edge" aria-hidden="true">
                {line}
              </g>
            ) : (
              <g
                key={index}
                className="composition-edge composition-handle"
                role="slider"
                tabIndex={0}
                aria-label={`${edge.label} of ${name}`}
                aria-valuemin={1}
                aria-valuemax={4096}
                aria-valuenow={edge.at}
                aria-valuetext={`up to ${edge.at} ${edge.at === 1 ? 'entry' : 'entries'}`}
                onKeyDown={(event) => onKeyDown(event, edge)}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setHeld(index);
                }}
                onPointerMove={(event) => drag(event, edge, index)}
                onPointerUp={() => setHeld(null)}
                onPointerCancel={() => setHeld(null)}
              >
                <rect x={x - 12} y={2} width={24} height={HEIGHT + 6} className="composition-grip" />
                {line}
                <path d={`M${x - 6} 2h12v10l-6 6l-6 -6z`} />
                <text x={x} y={HEIGHT + 28} className="composition-axis">
                  ≤ {edge.at}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
      <details className="text-equivalent">
        <summary>As text</summary>
        <table className="composition-table">
          <caption className="visually-hidden">{`How many rows and pieces of ${name} have how many entries`}</caption>
          <thead>
            <tr>
              <th scope="col">Entries</th>
              <th scope="col">Rows before</th>
              {stored.parts.map((part, number) => (
                <th scope="col" key={part.name}>
                  <Swatch part={number} /> {part.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bins.map(({ least, most: upper, fibres, stored: counts }, bin) => (
              <tr key={upper}>
                <th scope="row">{least === upper ? least : rangeOf(bin)}</th>
                <td>{formatCount(fibres)}</td>
                {counts.map((count, part) => (
                  <td key={part}>{formatCount(count)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The bin in which lengths of `length` are counted: 0 for 1, 1 for 2, 2 for 3 and 4. */
const binOf = (length: number): number => Math.ceil(Math.log2(Math.max(1, length)));

const rangeOf = (bin: number): string => (bin < 2 ? String(bin + 1) : `${2 ** (bin - 1) + 1}–${2 ** bin}`);
