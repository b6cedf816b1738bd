import { useState } from 'react';
import { deleteDataset, toProblem } from '../../../api/client';
import type { DatasetView, Problem } from '../../../api/types';
import { removeDataset } from '../../../state/catalog';
import { howLongKept } from './how-long-kept';
import { ProblemNote } from '../ProblemNote';

interface Props {
  readonly dataset: DatasetView;
  readonly onDeleted: () => void;
}

/** How long the service keeps an upload, and its end by whoever uploaded it. */
export function KeptData({ dataset, onDeleted }: Props) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const remove = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await deleteDataset(dataset.id);
      onDeleted();
      removeDataset(dataset.id);
    } catch (error) {
      setProblem(toProblem(error));
      setBusy(false);
    }
  };
  return (
    <>
      <p className="caption muted">
        {howLongKept(dataset)}{' '}
        {dataset.own && (
          <button
            type="button"
            className="link-button"
            disabled={busy}
            aria-label={`Delete the upload ${dataset.name}`}
            onClick={() => void remove()}
          >
            Delete it
          </button>
        )}
      </p>
      {problem !== null && <ProblemNote problem={problem} />}
    </>
  );
}
