import type { WorkerView } from '../../api/types';
import { useActions } from '../../state/actions';
import { useFirstComplaint } from '../../state/editing/complaints';
import { awaitsFirst } from '../../state/loading/expected';
import { isRunning, runObstacle } from '../../state/runs/run-state';
import { useSelect } from '../../state/store';
import { lackOf } from './machines/missing-target';

/** Starts the run and calls it off, or says why it cannot be started. */
export function RunButtons({ workers }: { readonly workers: readonly WorkerView[] }) {
  const { run, runNow } = useActions();
  const busy = useSelect((state) => isRunning(state.run));
  const obstacle = useSelect(runObstacle);
  // What passes by itself is no line that comes and goes.
  const passes = useSelect(awaitsFirst);
  const complaint = useFirstComplaint();
  const target = useSelect((state) => state.draft.target);
  const lack = lackOf(target, workers);
  const reason = complaint ?? obstacle ?? (lack === null ? null : `${lack.reason}.`);
  return (
    <div className="run-buttons">
      <button
        type="button"
        className="button primary"
        disabled={busy || reason !== null}
        data-tip="Ctrl+Enter"
        aria-describedby={reason === null ? undefined : 'run-reason'}
        onClick={runNow}
      >
        Run
      </button>
      {busy && (
        <button type="button" className="button" onClick={() => void run.cancel()}>
          Cancel
        </button>
      )}
      {reason !== null && (
        <span id="run-reason" className={passes ? 'visually-hidden' : 'caption muted'} data-tip={reason}>
          {reason}
        </span>
      )}
    </div>
  );
}
