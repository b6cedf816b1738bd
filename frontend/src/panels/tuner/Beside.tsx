import type { RunView, SearchRequest } from '../../api/types';
import { raceLines, standing } from '../../viz/tuner/race';
import type { Search } from '../../viz/tuner/search-log';
import { useSearch } from './use-search';

interface Props {
  readonly run: RunView;
  readonly search: Search;
  readonly population: number;
  readonly seconds: number;
}

const KEPT_AS = 'heddle-search-beside';
const WIDTH = 420;
const HEIGHT = 110;

/** The same plan searched at random, with as many schedules: whether the strategy was worth it. */
export function Beside({ run, search, population, seconds }: Props) {
  const other = useSearch(KEPT_AS);
  const same = other.search !== null && JSON.stringify(other.search.plan) === JSON.stringify(search.plan);
  const beside = same ? other.search : null;
  const begin = (): void => {
    void other.start({
      plan: run.plan,
      strategy: 'random',
      seed: search.seed,
      evaluations: Math.max(1, search.timed),
      seconds,
      population,
    } as SearchRequest);
  };
  return (
    <section className="tuner-beside" aria-label="Beside a search at random">
      {beside !== null && (
        <>
          <p role="status">{standing(search, beside)}</p>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={standing(search, beside)}>
            {raceLines([search, beside], WIDTH, HEIGHT).map(({ strategy, points }, which) => (
              <polyline key={which} className={which === 0 ? 'tuner-best' : 'tuner-random'} points={points}>
                <title>{strategy}</title>
              </polyline>
            ))}
          </svg>
          <p className="caption muted">
            The fastest so far, by the number of schedules that were timed; higher is slower, the dashed line is the
            search at random.
          </p>
        </>
      )}
      {other.problem !== null && <p role="alert">{other.problem}</p>}
      {other.busy ? (
        <button type="button" className="button" onClick={other.cancel}>
          Cancel the search at random
        </button>
      ) : (
        <button type="button" className="button" onClick={begin}>
          Search at random, with as many schedules
        </button>
      )}
    </section>
  );
}
