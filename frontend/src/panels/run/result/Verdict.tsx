import { useEffect, useState } from 'react';
import type { RunResult } from '../../../api/types';
import { Explained } from '../../../components/Term';
import { formatDate } from '../../../text/quantities';
import { ageInWords, describeRejudgement, deviceInWords, timesInWords } from './in-words';

interface Props {
  readonly result: RunResult;
  /** An earlier measurement answered: it says how old it is. */
  readonly reused: boolean;
  /** Measures the same plan once more; not there where nothing can be run. */
  readonly onRepeat?: (() => void) | undefined;
}

/** What follows from the run, as the service decided, in one place: the times, who is slower, and what speaks against it. */
export function Verdict({ result, reused, onRepeat }: Props) {
  const { conclusion, entries, date } = result;
  const noisy = conclusion?.noisy === true;
  const times = timesInWords(entries);
  const device = deviceInWords(entries);
  const age = useAge(date);
  const rejudgement = describeRejudgement(result);
  return (
    <div className="result-verdict" role={noisy ? 'note' : undefined} data-noisy={noisy ? '' : undefined}>
      <p>
        {times !== '' && <strong>{times}.</strong>} {noisy && <span className="tone-warning">⚠ </span>}
        {conclusion?.headline ?? ''}
        {device !== '' && <span className="muted"> {device}</span>}
      </p>
      {rejudgement !== '' && <p className="caption muted">{rejudgement}</p>}
      {(reused || (noisy && onRepeat !== undefined)) && (
        <p className="result-age">
          {reused && (
            <span className="muted" tabIndex={0} data-tip={formatDate(date)}>
              {age}
            </span>
          )}
          {onRepeat !== undefined && (
            <button type="button" className="button" onClick={onRepeat}>
              Measure again
            </button>
          )}
        </p>
      )}
      {noisy && (
        <details>
          <summary>Why?</summary>
          <ul>
            {conclusion.reasons.map((reason) => (
              <li key={reason}>
                <Explained>{reason}</Explained>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const MINUTE_MS = 60_000;

/** How old a result is, which grows while it is looked at. */
function useAge(date: string): string {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return ageInWords(date, now);
}
