import type { AccountView } from '../../api/types';
import { useSelect } from '../../state/store';
import { canonicalJson, toPlan } from '../../plan/plan';
import type { State } from '../../state/store';
import { formatBytes, formatCount, formatShare, threeDigits } from '../../text/quantities';
import { roofOf } from '../../viz/account/roof';

/** No wider than the narrowest phone: it does not shrink. */
const [WIDTH, HEIGHT] = [288, 120];

/** Whether a typical core would wait for memory or compute, and how near a run of this plan came to the memory's limit. */
export function Position({ roofline }: { readonly roofline: NonNullable<AccountView['roofline']> }) {
  const { operations, bytes, intensity, balance, bound } = roofline;
  const measured = useSelect(measuredOf);
  const { path, x, y, edge } = roofOf(intensity, balance, WIDTH, HEIGHT);
  const said = `${threeDigits(intensity)} operations per byte; ${bound} is the limit, the border is ${balance}`;
  return (
    <section className="account-part" aria-label="Roofline">
      <h3>Position in the roofline</h3>
      <p>
        {formatCount(operations)} operations for {formatBytes(bytes)} that must move: {threeDigits(intensity)} per byte.
        Below {balance} per byte, a typical core waits for memory
        {bound === 'memory' ? ', as it does here.' : '; here it computes without waiting.'}
      </p>
      <figure>
        <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={said}>
          <path className="account-roof" d={path} />
          <path className="account-mean" d={`M${edge} 0V${HEIGHT}`} />
          <circle className="account-point" cx={x} cy={y} r={5} />
          <text x={4} y={HEIGHT - 4}>
            memory
          </text>
          <text x={WIDTH - 4} y={HEIGHT - 4} textAnchor="end">
            compute
          </text>
        </svg>
        <figcaption className="caption muted">
          Attainable speed over operations per byte, both on logarithmic axes. The border is that of a typical core, not
          measured.
        </figcaption>
      </figure>
      <p>{measured ?? 'Run the plan to see how much of the memory’s bandwidth it reaches on real data.'}</p>
    </section>
  );
}

/** What the run of the plan that is open reached. */
function measuredOf({ run, draft }: State): string | null {
  const { view } = run;
  if (view?.state !== 'done' || view.result === null || canonicalJson(run.plan) !== canonicalJson(toPlan(draft))) {
    return null;
  }
  const ours = view.result.entries.find(({ id }) => id === 'heddle');
  if (ours === undefined || ours.gigabytes_per_second === null) return null;
  const share =
    ours.bandwidth_share === null
      ? ''
      : `, ${formatShare(ours.bandwidth_share)} of what STREAM reaches on this machine`;
  return `The last run of this plan moved ${threeDigits(ours.gigabytes_per_second)} GB/s${share}.`;
}
