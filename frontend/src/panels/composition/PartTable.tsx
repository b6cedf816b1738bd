import type { StoredPartsView } from '../../api/types';
import { formatBytes, formatCount, formatShare } from '../../text/quantities';
import type { Pointed } from '../../viz/composition/parts';
import { marksOf } from '../../viz/composition/parts';
import { kindOf, paintOf, Swatch } from './PartPatterns';

interface Props {
  readonly name: string;
  readonly stored: StoredPartsView;
  readonly pointed: Pointed | null;
  readonly onPoint: (pointed: Pointed | null) => void;
}

/** What each part has and costs; entries and padding together are the places. */
export function PartTable({ name, stored, pointed, onPoint }: Props) {
  const { parts } = stored;
  const marks = marksOf(stored, pointed);
  const most = Math.max(1, ...parts.map(({ places }) => places));
  return (
    <section className="composition-part composition-parts" aria-label="Parts">
      <div className="composition-scroll">
        <table className="composition-table composition-costs">
          <caption className="visually-hidden">{`The parts of ${name}`}</caption>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">Test</th>
              <th scope="col">Rows</th>
              <th scope="col">Pieces</th>
              <th scope="col">Entries</th>
              <th scope="col">+ Padding</th>
              <th scope="col">= Places</th>
              <th scope="col">Bytes</th>
              <th scope="col">Share</th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part, number) => (
              <tr
                key={part.name}
                data-lit={marks.part === number ? '' : undefined}
                data-none={part.entries === 0 ? '' : undefined}
                onPointerEnter={() => onPoint({ kind: 'part', part: number })}
                onPointerLeave={() => onPoint(null)}
              >
                <th scope="row">
                  <button
                    type="button"
                    className="composition-name"
                    data-tip={part.levels_text}
                    onFocus={() => onPoint({ kind: 'part', part: number })}
                    onBlur={() => onPoint(null)}
                  >
                    <Swatch part={number} />
                    {part.name}
                  </button>
                </th>
                <td className="composition-test">
                  {part.test === '' ? <span className="muted">the rest</span> : part.test}
                </td>
                <td data-label="Rows">{formatCount(part.rows)}</td>
                <td data-label="Pieces">{part.pieces === null ? '–' : formatCount(part.pieces)}</td>
                <td data-label="Entries">{formatCount(part.entries)}</td>
                <td data-label="+ Padding">{formatCount(part.places - part.entries)}</td>
                <td data-label="= Places">
                  <span className="composition-places">
                    <Bar part={number} entries={part.entries} places={part.places} most={most} />
                    {formatCount(part.places)}
                  </span>
                </td>
                <td data-label="Bytes">{formatBytes(part.bytes)}</td>
                <td data-label="Share">{formatShare(stored.entries === 0 ? 0 : part.entries / stored.entries)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All</th>
              <td />
              <td />
              <td />
              <td data-label="Entries">{formatCount(stored.entries)}</td>
              <td data-label="+ Padding">{formatCount(stored.places - stored.entries)}</td>
              <td data-label="= Places">{formatCount(stored.places)}</td>
              <td data-label="Bytes">{formatBytes(stored.bytes)}</td>
              <td />
            </tr>
          </tfoot>
        </table>
      </div>
      <p className="composition-sum" data-exact={stored.exact}>
        {stored.exact
          ? `✓ The parts add up to ${name}: each of its ${formatCount(stored.entries)} entries stands at one place of one part, and every other place holds the fill.`
          : `✗ The parts do not add up to ${name}. This is a defect in Heddle.`}
      </p>
      <Beside stored={stored} />
    </section>
  );
}

/** Entries in the part's paint, padding light behind them. */
function Bar({ part, entries, places, most }: { part: number; entries: number; places: number; most: number }) {
  const width = 64;
  return (
    <svg className="composition-bar" width={width} height={12} aria-hidden="true" data-kind={kindOf(part)}>
      <rect className="composition-padding" y={0.5} width={(width * places) / most} height={11} />
      <rect y={0.5} width={(width * entries) / most} height={11} fill={paintOf(part)} />
    </svg>
  );
}

function Beside({ stored }: { readonly stored: StoredPartsView }) {
  const padding = formatShare((stored.places - stored.entries) / Math.max(stored.places, 1));
  const each = `, ${(stored.places / stored.entries).toFixed(2)} for each entry (${padding} of them padding)`;
  return (
    <p className="composition-beside">
      <strong>
        {formatCount(stored.places)} places{stored.entries === 0 ? '' : each}, {formatBytes(stored.bytes)}.
      </strong>{' '}
      In one part:{' '}
      {stored.beside.map(({ format, places, bytes, reason }, index) => (
        <span
          key={format}
          data-tip={reason ?? undefined}
          tabIndex={reason === null || reason === undefined ? undefined : 0}
        >
          {index > 0 && ' · '}
          <code>{format}</code>{' '}
          {bytes === null
            ? `${places === null ? 'not possible' : `${formatCount(places)} places, too many to pack here`}`
            : `${formatCount(places ?? 0)} places, ${formatBytes(bytes)}`}
        </span>
      ))}
      .
    </p>
  );
}
