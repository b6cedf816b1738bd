import type { AlgorithmDocument, DecompositionResult } from '../api/types';
import { download } from '../components/download';

interface Props {
  readonly document: AlgorithmDocument;
  readonly result: DecompositionResult;
}

const FILE = 'decomposition.json';

/** The document and what came of it as a file that `heddle replay` makes again; why not, where it cannot. */
export function Reproducer({ document, result }: Props) {
  if (isUpload(document.inputs?.['X'])) {
    return (
      <p className="muted">No reproducer: X is a file that was uploaded to this server, and other machines lack it.</p>
    );
  }
  const save = (): void => {
    // The strips are pictures of the factors.
    const text = JSON.stringify({ plan: document, run: { result: { ...result, strips: [] } } }, null, 1);
    download(text, 'application/json', FILE);
  };
  return (
    <p>
      <button type="button" className="button" onClick={save}>
        Reproducer as .json
      </button>{' '}
      <span className="caption muted">
        <code>pip install &quot;heddle-sparse[server]&quot;</code>, then <code>heddle replay {FILE}</code>: the same
        sweeps by the same kernels, and whether the factors are the same to the bit
        {result.document.parameters['reproducible'] === false &&
          ', which they may not be: this run did not ask for the same bits each time'}
        .
      </span>
    </p>
  );
}

const isUpload = (X: unknown): boolean => typeof X === 'object' && X !== null && 'upload' in X;
