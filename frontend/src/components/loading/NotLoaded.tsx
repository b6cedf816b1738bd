import { useExternal } from '../../state/external';
import { loadOrReload, missingCause } from '../../state/loading/missing-files';
import type { Cause } from '../../state/loading/missing-files';

const WORDS: Readonly<Record<Cause, string>> = {
  offline: 'Not connected: this part of the page is loaded as soon as Heddle answers again.',
  interrupted: 'The connection was cut while this part of the page was loading.',
  remembered:
    'The connection was cut while this part was loading; a new page has it. Your plan is in the address and stays.',
  updated: 'Heddle was updated since you opened this page. Your plan is in the address and stays.',
};

/** Stands in for a part of the page whose file did not come. */
export function NotLoaded() {
  const cause = useExternal(missingCause, (now) => now);
  return (
    <div className="panel-message not-loaded">
      {/* Filled after it is there, so that it is announced. */}
      <p role="status">{cause === null ? 'Loading…' : WORDS[cause]}</p>
      {cause === 'updated' || cause === 'remembered' ? (
        <button type="button" className="button" onClick={() => window.location.reload()}>
          Reload
        </button>
      ) : (
        cause !== null && (
          <button type="button" className="button" onClick={() => void loadOrReload()}>
            Try again
          </button>
        )
      )}
    </div>
  );
}
