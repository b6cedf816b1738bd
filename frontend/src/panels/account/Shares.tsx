import type { AccountView } from '../../api/types';
import { linkId, useLinked } from '../../state/links';
import { counted, formatCount, formatShare } from '../../text/quantities';

/** No wider than the narrowest phone: it does not shrink. */
const [WIDTH, HEIGHT, LABEL] = [288, 72, 34];

/** How the work is shared out: one bar for each iteration of the loop over threads or blocks. */
export function Shares({ sharing }: { readonly sharing: NonNullable<AccountView['sharing']> }) {
  const { variable, unit, workers, shares, imbalance, largest, atomics, lanes_idle, sectors_used } = sharing;
  const { props } = useLinked(variable === null ? [] : linkId.variable(variable));
  return (
    <section className="account-part" aria-label="Parallelism">
      <h3>Parallelism</h3>
      {variable === null ? (
        <p>No loop runs in parallel: one thread does all of the work.</p>
      ) : (
        <>
          <p
            onPointerEnter={props.onPointerEnter}
            onPointerLeave={props.onPointerLeave}
            data-linked={props['data-linked']}
          >
            {counted(workers, 'iteration')} of <code>{variable}</code> {workers === 1 ? 'is' : 'are'} distributed over{' '}
            {unit}. The largest has {formatShare(largest)} of the work, {imbalance.toFixed(2)} times the mean.
          </p>
          <Bars shares={shares} workers={workers} />
        </>
      )}
      <p>
        {counted(atomics, 'atomic update')}.
        {lanes_idle !== null && ` ${formatShare(lanes_idle)} of the lanes of a warp wait on average.`}
        {sectors_used !== null && ` ${formatShare(sectors_used)} of the sectors that warps touch are needed.`}
      </p>
    </section>
  );
}

function Bars({ shares, workers }: { readonly shares: readonly number[]; readonly workers: number }) {
  const most = Math.max(1, ...shares);
  const mean = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
  const each = (WIDTH - LABEL) / Math.max(1, shares.length);
  const height = (share: number): number => ((HEIGHT - 8) * share) / most;
  const said = `Operations of each: ${shares.map(formatCount).join(', ')}; mean ${mean.toFixed(1)}`;
  return (
    <figure>
      <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={said}>
        {shares.map((share, number) => (
          <rect
            key={number}
            className="account-bar"
            x={LABEL + number * each + 0.5}
            y={HEIGHT - height(share)}
            width={Math.max(each - 1, 0.5)}
            height={height(share)}
          >
            <title>{`${number}: ${formatCount(share)} operations`}</title>
          </rect>
        ))}
        <path className="account-mean" d={`M${LABEL} ${HEIGHT - height(mean)}H${WIDTH}`} />
        <text x={LABEL - 4} y={12} textAnchor="end">
          {formatCount(most)}
        </text>
      </svg>
      <figcaption className="caption muted">
        Operations of {shares.length < workers ? `the first ${shares.length} iterations` : 'each iteration'}; the line
        is the mean.
      </figcaption>
    </figure>
  );
}
