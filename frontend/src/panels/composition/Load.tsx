import type { StoredPartsView } from '../../api/types';
import { NumberField } from '../../components/NumberField';
import { formatCount, formatShare } from '../../text/quantities';
import { balanceOf } from '../../viz/composition/parts';
import { kindOf, paintOf } from './PartPatterns';

interface Props {
  readonly stored: StoredPartsView;
  readonly workers: number;
  readonly onWorkers: (workers: number) => void;
}

const [WIDTH, HEIGHT] = [150, 8];

/** How much each worker has to do where the loops of the parts are shared out in three ways. */
export function Load({ stored, workers, onWorkers }: Props) {
  const { separate, shared, together } = stored.load;
  const ways = [
    {
      title: 'One part after the other',
      why: 'each part has a parallel loop of its own',
      loads: separate,
      byPart: true,
    },
    {
      title: 'Rows shared by all parts',
      why: 'a worker has its rows in every part, and needs no atomics',
      loads: [shared],
      byPart: false,
    },
    {
      title: 'All parts in one loop',
      why: 'the loops of the parts one after the other, cut as one',
      loads: [together],
      byPart: false,
    },
  ];
  return (
    <section className="composition-part" aria-label="Load">
      <h3>Work of each worker</h3>
      <div className="composition-choices">
        <NumberField
          label="Workers"
          value={workers}
          minimum={1}
          maximum={64}
          integer
          onChange={(next) => onWorkers(next ?? workers)}
        />
        <span className="caption muted">
          Places that each worker computes with, in equal ranges of iterations: counted, not measured.
        </span>
      </div>
      <div className="composition-ways">
        {ways.map(({ title, why, loads, byPart }) => {
          const { worst, idle } = balanceOf(loads);
          const most = Math.max(1, ...loads.flat());
          return (
            <figure key={title} className="composition-way">
              <figcaption>
                <strong>{title}</strong> <span className="muted caption">{why}</span>
              </figcaption>
              {loads.map((each, part) => (
                <svg
                  key={part}
                  width={WIDTH}
                  height={Math.min(each.length, 16) * (HEIGHT + 2)}
                  role="img"
                  aria-label={`${byPart ? `${stored.parts[part]?.name ?? ''}: ` : ''}${each.map(formatCount).join(', ')} places`}
                >
                  {each.slice(0, 16).map((load, worker) => (
                    <rect
                      key={worker}
                      y={worker * (HEIGHT + 2)}
                      width={Math.max(1, (WIDTH * load) / most)}
                      height={HEIGHT}
                      fill={byPart ? paintOf(part) : undefined}
                      data-kind={byPart ? kindOf(part) : undefined}
                      className={byPart ? 'composition-stack' : 'composition-work'}
                    >
                      <title>{`worker ${worker + 1}: ${formatCount(load)} places`}</title>
                    </rect>
                  ))}
                </svg>
              ))}
              <p className="caption">
                {`max / mean ${worst.toFixed(2)}, idle ${formatShare(idle)}`}
                {loads[0] !== undefined && loads[0].length > 16 && ` (the first 16 of ${loads[0].length} are drawn)`}
              </p>
            </figure>
          );
        })}
      </div>
    </section>
  );
}
