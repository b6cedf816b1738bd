import type { ReactNode } from 'react';
import type { AccountView } from '../../api/types';
import { linkId, useLinked } from '../../state/links';
import { formatBytes, formatCount } from '../../text/quantities';

type Tensor = AccountView['traffic'][number];

interface Measure {
  readonly title: string;
  readonly of: (tensor: Tensor) => ReactNode;
  /** More than a cache that keeps everything would need. */
  readonly again?: (tensor: Tensor) => boolean;
}

/** Lines of the loops that are named below a tensor. */
const MOST_LINES = 3;

const MEASURES: readonly Measure[] = [
  { title: 'Stored', of: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes)) },
  { title: 'Loads', of: ({ loads }) => formatCount(loads) },
  { title: 'Each value used', of: ({ reuse }) => (reuse === null ? '–' : `${reuse.toFixed(1)} ×`) },
  { title: 'Loads by coordinate', of: ({ gathers }) => formatCount(gathers) },
  { title: 'Lines of the cache', of: ({ lines }) => formatCount(lines) },
];

const missesOf = (size: number): Measure => {
  const counted = ({ misses }: Tensor) => misses.find((one) => one.size === size)?.misses ?? null;
  return {
    title: `Misses, ${size / 1024} KiB`,
    of: (tensor) => {
      const count = counted(tensor);
      return count === null ? '–' : formatCount(count);
    },
    again: (tensor) => (counted(tensor) ?? 0) > tensor.lines,
  };
};

/**
 * Bytes that must move, how often each value is used again, and what a small cache misses. Each tensor is a column:
 * few tensors fit where many measures would not.
 */
export function Traffic({ traffic }: { readonly traffic: readonly Tensor[] }) {
  const measures = [...MEASURES, ...(traffic[0]?.misses ?? []).map(({ size }) => missesOf(size))];
  return (
    <section className="account-part" aria-label="Traffic">
      <h3>Traffic and reuse</h3>
      <div className="account-scroll" role="region" aria-label="Table of traffic" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <td />
              {traffic.map((tensor) => (
                <TensorHead key={tensor.tensor} tensor={tensor} />
              ))}
            </tr>
          </thead>
          <tbody>
            {measures.map(({ title, of, again }) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                {traffic.map((tensor) => (
                  <Count key={tensor.tensor} tensor={tensor.tensor} again={again?.(tensor) ?? false}>
                    {of(tensor)}
                  </Count>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="caption muted">
        Below each name: the lines of the structured loops that use the tensor. A line of the cache has 64 bytes; each
        line that is touched misses at least once. The caches are small because the data are small; they are simulated
        with 8 ways and drop what was used least recently.
      </p>
    </section>
  );
}

function TensorHead({ tensor: { tensor, role, format, code_lines } }: { readonly tensor: Tensor }) {
  const { props } = useLinked(linkId.tensor(tensor));
  const kind = role === 'operand' ? (format ?? '') : `${role}${format === null ? '' : `, ${format}`}`;
  return (
    <th
      scope="col"
      onPointerEnter={props.onPointerEnter}
      onPointerLeave={props.onPointerLeave}
      data-linked={props['data-linked']}
    >
      <code>{tensor}</code> <span className="muted">{kind}</span>
      <span className="account-lines muted">{linesText(code_lines)}</span>
    </th>
  );
}

/** The first lines and how many more: all of them would be higher than the table. */
function linesText(lines: readonly number[]): string {
  const shown = lines.slice(0, MOST_LINES).join(', ');
  return lines.length > MOST_LINES ? `lines ${shown} and ${lines.length - MOST_LINES} more` : `lines ${shown}`;
}

interface CountProps {
  readonly tensor: string;
  readonly again: boolean;
  readonly children: ReactNode;
}

function Count({ tensor, again, children }: CountProps) {
  const { props } = useLinked(linkId.tensor(tensor));
  return (
    <td
      onPointerEnter={props.onPointerEnter}
      onPointerLeave={props.onPointerLeave}
      data-linked={props['data-linked']}
      data-again={again ? '' : undefined}
    >
      {children}
    </td>
  );
}
