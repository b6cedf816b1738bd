import { useState } from 'react';
import { modelUrl } from '../api/client';
import type { DecompositionResult } from '../api/types';
import { formatCount } from '../text/quantities';
import { addressOf } from './use-decomposition';

const WHY: Readonly<Record<DecompositionResult['stopped'], string>> = {
  tolerance: 'The fit changed by less than the tolerance.',
  sweeps: 'All sweeps were made.',
  seconds: 'The time that the document allows was over.',
  asked: 'It was stopped, and what was there is kept.',
  time: 'The time that a run may take was over, and what was there is kept.',
};

/** Weights as bars, the file of the factors, and the address that opens it all elsewhere. */
export function Result({ id, result }: { readonly id: string; readonly result: DecompositionResult }) {
  const [copied, setCopied] = useState('');
  const { weights, input, model } = result;
  const largest = Math.max(...weights.map(Math.abs), Number.MIN_VALUE);
  const share = async (): Promise<void> => {
    const url = new URL(addressOf(id), window.location.origin).href;
    try {
      await navigator.clipboard.writeText(url);
      setCopied('Copied the address of this run.');
    } catch {
      setCopied(`Its address is ${url}`);
    }
  };
  return (
    <section className="algorithm-panel" aria-label="Result">
      <h2>Result</h2>
      <p>
        {WHY[result.stopped]} X has {input.shape.map(formatCount).join(' × ')} places and {formatCount(input.nnz)}{' '}
        entries.
        {result.resumed_from !== null &&
          ` Its process was lost, and another went on from sweep ${formatCount(result.resumed_from)} to the same bits.`}
      </p>
      <table className="weights">
        <caption>Weights λ of the components</caption>
        <tbody>
          {weights.map((weight, component) => (
            <tr key={component}>
              <th scope="row">{component + 1}</th>
              <td>{weight.toPrecision(5)}</td>
              <td className="weight" aria-hidden="true">
                <span className="share-bar" style={{ inlineSize: `${String((100 * Math.abs(weight)) / largest)}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="algorithm-actions">
        {model.artifact === null ? (
          <p className="muted">{model.reason}</p>
        ) : (
          <a className="button" href={modelUrl(id)} download>
            Factors as .npz, {formatCount(model.bytes)} bytes
          </a>
        )}
        <button type="button" className="button" onClick={() => void share()}>
          Share
        </button>
        <span role="status" className="caption muted">
          {copied}
        </span>
      </div>
    </section>
  );
}
