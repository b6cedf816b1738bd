import type { AccountView } from '../../api/types';
import { linkId, useLinked } from '../../state/links';
import { formatBytes, formatCount } from '../../text/quantities';

type Row = AccountView['traffic'][number];

/** Bytes that must move, how often each value is used again, and what a small cache misses. */
export function Traffic({ traffic }: { readonly traffic: readonly Row[] }) {
  const sizes = traffic[0]?.misses.map(({ size }) => size) ?? [];
  return (
    <section className="account-part" aria-label="Traffic">
      <h3>Traffic and reuse</h3>
      <div className="account-scroll" role="region" aria-label="Table of traffic" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Tensor</th>
              <th scope="col">Stored</th>
              <th scope="col">Loads</th>
              <th scope="col">Each value used</th>
              <th scope="col">By coordinate</th>
              <th scope="col">Lines</th>
              {sizes.map((size) => (
                <th key={size} scope="col">
                  Misses, {size / 1024} KiB
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {traffic.map((row) => (
              <TensorRow key={row.tensor} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="caption muted">
        Below the names: in which lines of the structured loops. A line of the cache has 64 bytes; each that is touched
        misses once at least. Small caches stand for those of a machine, as small data stand for real ones. Simulated: 8
        ways, least recently used goes first.
      </p>
    </section>
  );
}

function TensorRow({ row }: { readonly row: Row }) {
  const { tensor, role, format, bytes, loads, gathers, reuse, lines, misses, code_lines } = row;
  const { props } = useLinked(linkId.tensor(tensor));
  return (
    <tr onPointerEnter={props.onPointerEnter} onPointerLeave={props.onPointerLeave} data-linked={props['data-linked']}>
      <th scope="row">
        <code>{tensor}</code>{' '}
        <span className="muted">
          {role === 'operand' ? (format ?? '') : `${role}${format === null ? '' : `, ${format}`}`}
        </span>
        <span className="account-lines muted">lines {code_lines.join(', ')}</span>
      </th>
      <td>{bytes === null ? '–' : formatBytes(bytes)}</td>
      <td>{formatCount(loads)}</td>
      <td>{reuse === null ? '–' : `${reuse.toFixed(1)} times`}</td>
      <td>{formatCount(gathers)}</td>
      <td>{formatCount(lines)}</td>
      {misses.map(({ size, misses: count }) => (
        <td key={size} data-again={count > lines ? '' : undefined}>
          {formatCount(count)}
        </td>
      ))}
    </tr>
  );
}
