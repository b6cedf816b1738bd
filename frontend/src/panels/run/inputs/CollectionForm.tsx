import { useEffect, useId, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { cancelDownload, getDownload, startDownload, toProblem } from '../../../api/client';
import type { DatasetView, DownloadView, Problem } from '../../../api/types';
import { useCatalog } from '../../../state/catalog';
import { ProblemNote } from '../ProblemNote';
import { formatBytes } from '../../../text/quantities';
import { TransferProgress } from './TransferProgress';

interface Props {
  /** Of the tensor that it is for, and how many dimensions that has. */
  readonly name: string;
  readonly order: number;
  readonly onArrived: (dataset: DatasetView) => void;
  readonly onClose: () => void;
}

const POLL_MS = 300;
const UNDER_WAY: ReadonlySet<DownloadView['state']> = new Set<DownloadView['state']>([
  'waiting',
  'receiving',
  'checking',
]);

/** A matrix or tensor of a public collection, by its name; the service fetches, checks and keeps it. */
export function CollectionForm({ name: tensor, order, onArrived, onClose }: Props) {
  const all = useCatalog((catalog) => catalog.collections);
  // Matrices serve for vectors too, stored as one row or column.
  const offered = all.filter(({ kind }) => (kind === 'mtx') === order <= 2);
  const [wished, setWished] = useState('');
  const collection = offered.find(({ id }) => id === wished) ?? offered[0];
  const [name, setName] = useState('');
  const [download, setDownload] = useState<DownloadView | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const gone = useRef(false);
  const id = useId();
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  if (collection === undefined) return <p className="caption muted">This service has no collections.</p>;

  const fetchIt = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem(null);
    try {
      let view = await startDownload(collection.id, name.trim());
      while (UNDER_WAY.has(view.state) && !gone.current) {
        setDownload(view);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        view = await getDownload(view.id);
      }
      if (gone.current) return;
      setProblem(view.problem);
      if (view.dataset !== null) onArrived(view.dataset);
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setDownload(null);
    }
  };
  return (
    <form className="collection" aria-label={`Collection for ${tensor}`} onSubmit={(event) => void fetchIt(event)}>
      <span className="field">
        <label htmlFor={`${id}-collection`}>Collection</label>
        <select id={`${id}-collection`} value={collection.id} onChange={(event) => setWished(event.target.value)}>
          {offered.map((one) => (
            <option key={one.id} value={one.id}>
              {one.title}
            </option>
          ))}
        </select>
      </span>
      <span className="field">
        <label htmlFor={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          list={`${id}-names`}
          required
          placeholder={collection.examples[0]}
          value={name}
          aria-describedby={`${id}-naming`}
          onChange={(event) => setName(event.target.value)}
        />
        <datalist id={`${id}-names`}>
          {collection.examples.map((example) => (
            <option key={example} value={example} />
          ))}
        </datalist>
      </span>
      <span id={`${id}-naming`} className="caption muted">
        {collection.naming}; see{' '}
        <a href={collection.home} target="_blank" rel="noreferrer">
          {collection.home.replace(/^https?:\/\//, '')}
        </a>
        . Licence: {collection.licence}.
      </span>
      {download === null ? (
        <span className="collection-buttons">
          <button type="submit" className="button">
            Fetch
          </button>
          <button type="button" className="button quiet" onClick={onClose}>
            Close
          </button>
        </span>
      ) : (
        <TransferProgress
          label={`Download of ${download.name}`}
          fraction={download.total === null ? null : download.received / Math.max(download.total, 1)}
          text={wordsOf(download)}
          cancel="Cancel download"
          onCancel={() => void cancelDownload(download.id).catch((error: unknown) => setProblem(toProblem(error)))}
        />
      )}
      {problem !== null && <ProblemNote problem={problem} />}
    </form>
  );
}

function wordsOf({ state, received, total }: DownloadView): string {
  if (state === 'waiting') return 'Waiting for another download';
  if (state === 'checking') return 'Checking';
  return total === null ? formatBytes(received) : `${formatBytes(received)} of ${formatBytes(total)}`;
}
