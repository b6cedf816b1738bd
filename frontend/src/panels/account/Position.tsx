import type { AccountView } from '../../api/types';
import { formatBytes, formatCount, formatShare, threeDigits } from '../../text/quantities';
import { waitsFor } from '../../viz/account/measured';
import type { RunFacts } from '../../viz/account/measured';
import { roofOf } from '../../viz/account/roof';

/** No wider than the narrowest phone: it does not shrink. */
const [WIDTH, HEIGHT] = [288, 120];

interface Props {
  readonly roofline: NonNullable<AccountView['roofline']>;
  /** Of the run of this plan, where it has one. */
  readonly facts: RunFacts | null;
}

/** Whether a typical core would wait for memory or compute, and how near a run of this plan came to the memory's limit. */
export function Position({ roofline, facts }: Props) {
  const { operations, bytes, intensity, balance, bound } = roofline;
  const { path, x, y, edge } = roofOf(intensity, balance, WIDTH, HEIGHT);
  const said = `${threeDigits(intensity)} operations per byte; ${bound} is the limit, the border is ${balance}`;
  return (
    <section className="account-part" aria-label="Roofline">
      <h3>Position in the roofline</h3>
      <p>
        {formatCount(operations)} operations for {formatBytes(bytes)} that must move: {threeDigits(intensity)} per byte.
        {WORDS[waitsFor(bound, facts)](balance)}
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
      <p>{moved(facts)}</p>
    </section>
  );
}

const WORDS: Readonly<Record<ReturnType<typeof waitsFor>, (balance: number) => string>> = {
  memory: (balance) => `Below ${balance} per byte, a typical core waits for memory once the data outgrow its caches.`,
  compute: (balance) => `Above ${balance} per byte, a typical core computes without waiting for memory.`,
  'far below': (balance) =>
    `Below ${balance} per byte, memory would be the limit; the run was far from it, so that something else took the time.`,
  cache: (balance) =>
    `Below ${balance} per byte, memory would be the limit; the run moved more than memory can: its data lay in a cache.`,
};

function moved(facts: RunFacts | null): string {
  if (facts === null || facts.gigabytes === null)
    return 'Run the plan to see how much of the memory’s bandwidth it reaches on real data.';
  const share =
    facts.bandwidth === null ? '' : `, ${formatShare(facts.bandwidth)} of what STREAM reaches on this machine`;
  return `The last run of this plan moved ${threeDigits(facts.gigabytes)} GB/s${share}.`;
}
