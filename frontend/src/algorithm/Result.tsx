import { useState } from 'react';
import { createLink, modelUrl, reportUrl, toProblem } from '../api/client';
import type { AlgorithmDocument, DecompositionResult } from '../api/types';
import { IN_FOLDER } from '../api/site';
import { NumberField } from '../components/NumberField';
import { embedCode } from '../state/address/embed-address';
import { counted, formatCount } from '../text/quantities';
import { Reproducer } from './Reproducer';
import { Score } from './Score';
import { Weights } from './pictures/Weights';

interface Props {
  readonly id: string;
  readonly document: AlgorithmDocument;
  readonly result: DecompositionResult;
  readonly busy: boolean;
  readonly onResume: (sweeps: number) => void;
}

const WHY: Readonly<Record<DecompositionResult['stopped'], string>> = {
  tolerance: 'The tolerance was reached.',
  sweeps: 'All sweeps were made.',
  seconds: 'The time that the document allows was used up.',
  asked: 'You stopped it; the sweeps made so far are kept.',
  time: 'It reached the time limit of a run; the sweeps made so far are kept.',
};
const MORE = 50;

/** Weights as bars, the file of the factors, more sweeps, and the link that opens it all elsewhere. */
export function Result({ id, document, result, busy, onResume }: Props) {
  const { input, model, state, history } = result;
  const [more, setMore] = useState(MORE);
  const last = history[history.length - 1];
  const done = last?.sweep ?? 0;
  return (
    <section className="algorithm-panel" aria-label="Result">
      <h2>Result</h2>
      <p>
        {WHY[result.stopped]} X has {input.shape.map(formatCount).join(' × ')} places and {formatCount(input.nnz)}{' '}
        entries.
        {input.summed > 0 && ` ${counted(input.summed, 'duplicate')} of its file were added up.`}
        {result.resumed_from !== null &&
          ` It continued from sweep ${formatCount(result.resumed_from)}, with the same bits as without a pause.`}
        {typeof last?.objective === 'number' &&
          ` Objective ${last.objective.toPrecision(8)}, conditions of an optimum within ${(last.violation ?? 0).toExponential(1)}.`}
      </p>
      <Weights weights={result.weights} />
      <div className="algorithm-actions">
        {model.artifact === null ? (
          <p className="muted">{model.reason}</p>
        ) : IN_FOLDER ? (
          <p className="muted">The factors are kept by the server that this link is from.</p>
        ) : (
          <>
            <a className="button" href={modelUrl(id)} download>
              Factors as .npz, {formatCount(model.bytes)} bytes
            </a>
            <a className="button" href={reportUrl(id)} download>
              All of it as .json
            </a>
          </>
        )}
        <Sharing id={id} document={document} />
      </div>
      <Reproducer document={document} result={result} />
      {model.artifact !== null && !IN_FOLDER && <Score id={id} />}
      {IN_FOLDER ? null : (state?.artifact ?? null) === null ? (
        <p className="muted">{state?.reason ?? 'Its state was not kept, so it cannot be continued.'}</p>
      ) : (
        <div className="algorithm-actions">
          <NumberField
            label="More sweeps"
            integer
            minimum={1}
            maximum={10000 - done}
            value={more}
            onChange={(sweeps) => setMore(sweeps ?? 1)}
          />
          <button
            type="button"
            className="button"
            disabled={busy || done >= 10000}
            onClick={() => onResume(done + more)}
          >
            Continue
          </button>
        </div>
      )}
    </section>
  );
}

function Sharing({ id, document }: Pick<Props, 'id' | 'document'>) {
  const [said, setSaid] = useState('');
  const share = async (inFrame: boolean): Promise<void> => {
    let text = '';
    try {
      const link = IN_FOLDER
        ? window.location.href
        : new URL((await createLink(document, id)).url, window.location.origin).href;
      text = inFrame ? embedCode(link, null) : link;
      await navigator.clipboard.writeText(text);
      setSaid(inFrame ? 'Copied the frame to paste into a page.' : `Copied ${link}`);
    } catch (error) {
      setSaid(text === '' ? `The link could not be made: ${toProblem(error).detail}` : `Copy it: ${text}`);
    }
  };
  return (
    <>
      <button type="button" className="button" onClick={() => void share(false)}>
        Share
      </button>
      <button type="button" className="button" onClick={() => void share(true)}>
        Copy embed code
      </button>
      <span role="status" className="caption muted">
        {said}
      </span>
    </>
  );
}
