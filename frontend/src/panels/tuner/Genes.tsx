import { formatNanoseconds } from '../../text/quantities';
import { inheritance } from '../../viz/tuner/search-log';
import type { Candidate, Search } from '../../viz/tuner/search-log';

interface Props {
  readonly search: Search;
  readonly one: Candidate;
  readonly onTake: (schedule: readonly string[], formats: Readonly<Record<string, string>>) => void;
}

const NAMES = ['first', 'second', 'third'];

/** A candidate: its genes in the colours of the parents that they are from, and its commands. */
export function Genes({ search, one, onTake }: Props) {
  const time = one.seconds === null ? one.reason : formatNanoseconds(one.seconds * 1e9);
  return (
    <section className="tuner-genes" aria-label="Candidate">
      <h3>
        Candidate {one.id}: {time}
      </h3>
      <p className="caption">
        {one.origin}
        {one.parents.length > 0 && (
          <>
            {' '}
            of{' '}
            {one.parents.map((parent, place) => (
              <span key={`${place}-${parent}`} className={`tuner-parent from-${place}`}>
                {NAMES[place]} parent {parent}{' '}
              </span>
            ))}
          </>
        )}
      </p>
      <div className="table-scroll" role="group" aria-label="Genes of the candidate" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Gene</th>
              <th scope="col">Value</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {inheritance(search, one).map(({ gene, value, from, mutated }) => (
              <tr key={gene.name} className={from === null ? '' : `from-${from}`}>
                <th scope="row" tabIndex={0} data-tip={gene.meaning}>
                  {gene.name}
                </th>
                <td>{value}</td>
                <td>{mutated ? 'mutation' : from === null ? '–' : `${NAMES[from]} parent`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <pre tabIndex={0} aria-label="Commands of the candidate">
        {one.schedule.join('\n') || 'no command'}
      </pre>
      <button type="button" className="button" onClick={() => onTake(one.schedule, one.formats)}>
        Take into the editor
      </button>
    </section>
  );
}
