import { useId } from 'react';
import type { ComparedSideView, ExplanationView } from '../../api/types';
import { counted, formatBytes, formatCount } from '../../text/quantities';
import { barsOf } from '../../viz/account/bars';

/** Units of each picture, which is stretched to half of the pane. */
const [WIDTH, HEIGHT] = [136, 84];

/** The work of each share and the bytes moved, before and after, on one scale; and in one sentence what differs. */
export function BeforeAfter({ view }: { readonly view: ExplanationView }) {
  const { before, after, sentence, tiles } = view;
  if (after === null) return null;
  const sides = before === null ? [after] : [before, after];
  const most = Math.max(1, ...sides.flatMap(({ shares }) => shares));
  const mostBytes = Math.max(1, ...sides.map(({ bytes }) => bytes));
  return (
    <section className="account-part account-compared" aria-label="Before and after">
      <div className="account-sides">
        {sides.map((side) => (
          <Side key={side.title} side={side} most={most} mostBytes={mostBytes} />
        ))}
      </div>
      <p className="account-sentence" role="status">
        {sentence}
      </p>
      {tiles.length > 0 && (
        <p className="caption muted">
          Counted with smaller tiles, so that small data have shares:{' '}
          {tiles.map(({ command, counted: text }, place) => (
            <span key={command}>
              {place > 0 && ', '}
              <code>{command}</code> as <code>{text}</code>
            </span>
          ))}
          .
        </p>
      )}
    </section>
  );
}

interface SideProps {
  readonly side: ComparedSideView;
  readonly most: number;
  readonly mostBytes: number;
}

function Side({ side, most, mostBytes }: SideProps) {
  const id = useId();
  const { title, shares, count, imbalance, work, bytes } = side;
  const { bars, mean } = barsOf(shares, most, WIDTH, HEIGHT);
  const said =
    count === 1
      ? `one share with all of the ${formatCount(work)} operations`
      : `${formatCount(count)} shares of ${formatCount(work)} operations, the largest ${imbalance.toFixed(1)} times the mean`;
  return (
    <figure className="account-side" aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      <svg
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${said}`}
      >
        {bars.map((bar, number) => (
          <rect key={number} className="account-bar" {...bar}>
            <title>{`${number}: ${formatCount(shares[number] ?? 0)} operations`}</title>
          </rect>
        ))}
        <path className="account-floor" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
        {count > 1 && <path className="account-mean" d={`M0 ${mean}H${WIDTH}`} />}
      </svg>
      <p>
        {count === 1
          ? `1 share, ${formatCount(work)} operations`
          : `${counted(count, 'share')}, largest ${imbalance.toFixed(1)} × the mean`}
        {shares.length < count && `; the first ${shares.length} are drawn`}
      </p>
      <svg height={8} viewBox={`0 0 ${WIDTH} 8`} preserveAspectRatio="none" aria-hidden="true">
        <rect className="account-bytes" width={Math.max(1, (WIDTH * bytes) / mostBytes)} height={8} />
      </svg>
      <p tabIndex={0} data-tip="Between memory and a simulated cache of 4 KiB, which is small as the data are">
        {formatBytes(bytes)} moved
      </p>
    </figure>
  );
}
