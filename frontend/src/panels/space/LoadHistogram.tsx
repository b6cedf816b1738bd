import { histogramOf } from '../../viz/space/cuts';
import { counted } from '../../text/quantities';

interface Props {
  /** Nonzeros of each tile or worker. */
  readonly loads: readonly number[];
  readonly mean: number;
  readonly title: string;
  /** Tiles that each load stands for already. */
  readonly each?: number;
}

/** No wider than the narrowest phone: it does not shrink. */
const [WIDTH, HEIGHT, BARS] = [288, 120, 60];

/** The load of each tile, with the mean as a line. */
export function LoadHistogram({ loads, mean, title, each: already = 1 }: Props) {
  const bars = histogramOf(loads, BARS);
  const max = Math.max(1, ...loads);
  const each = (WIDTH - 40) / Math.max(bars.length, 1);
  const y = (load: number): number => 10 + (HEIGHT - 30) * (1 - load / max);
  const together = already * ((bars[0]?.to ?? 0) + 1);
  const grouped = together > 1;
  return (
    <figure className="space-histogram">
      <figcaption>
        {title}
        {grouped && `; each bar is the fullest of ${together} tiles`}
      </figcaption>
      <svg
        width={WIDTH}
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}: ${counted(loads.length, 'load')} from ${Math.min(max, ...loads)} to ${max}, mean ${mean.toFixed(2)}`}
      >
        {bars.map(({ from, to, most }) => (
          <g key={from} className={grouped ? 'space-bar' : `space-bar space-tile lane-${from % 8}`}>
            <title>{`${from === to && already === 1 ? from : `${from * already}–${(to + 1) * already - 1}`}: ${most}`}</title>
            <rect
              x={36 + (from / (bars[0] ? bars[0].to + 1 : 1)) * each + 0.5}
              y={y(most)}
              width={Math.max(each - 1, 0.5)}
              height={HEIGHT - 20 - y(most)}
            />
          </g>
        ))}
        <path className="space-mean" d={`M36 ${y(mean)}H${WIDTH - 4}`} />
        <text x={30} y={y(max)} textAnchor="end" dominantBaseline="central">
          {max}
        </text>
        <text x={30} y={HEIGHT - 20} textAnchor="end">
          0
        </text>
        <text x={WIDTH - 4} y={Math.max(y(mean) - 4, 9)} textAnchor="end">
          mean {mean.toFixed(2)}
        </text>
        <text x={36} y={HEIGHT - 6}>
          {loads.length > 0 ? `tiles 0 … ${loads.length * already - 1}` : 'no tiles'}
        </text>
      </svg>
    </figure>
  );
}
