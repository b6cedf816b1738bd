import { MaximiseButton, Pane } from '../../layout/Pane';
import { useActions } from '../../state/actions';
import { useSelect } from '../../state/store';
import { InputList } from './InputList';
import { RunOutcome } from './RunOutcome';
import { RunSettings } from './RunSettings';

/** Builds, verifies and times the kernel on real data, beside the libraries that people use today. */
export function RunPane() {
  return (
    <Pane name="run" title="Run">
      <div className="run-body">
        <div className="run-form">
          <h2>Inputs</h2>
          <InputList />
          <RunSettings />
          <RunButtons />
        </div>
        <RunOutcome />
        <div className="run-head">
          <MaximiseButton name="run" title="Run" />
        </div>
      </div>
    </Pane>
  );
}

function RunButtons() {
  const { run } = useActions();
  const phase = useSelect((state) => state.run.phase);
  const compiles = useSelect((state) => state.compile.result?.ok ?? false);
  const offline = useSelect((state) => state.compile.phase === 'offline');
  const busy = phase === 'submitting' || phase === 'watching';
  const reason = offline
    ? 'The service does not answer.'
    : compiles
      ? null
      : 'The plan must compile before it can run: see the messages above.';
  return (
    <div className="run-buttons">
      <button
        type="button"
        className="button primary"
        disabled={busy || reason !== null}
        aria-describedby={reason === null ? undefined : 'run-reason'}
        onClick={() => void run.start()}
      >
        Run
      </button>
      {busy && (
        <button type="button" className="button" disabled={phase === 'submitting'} onClick={() => void run.cancel()}>
          Cancel
        </button>
      )}
      {reason !== null && (
        <span id="run-reason" className="caption muted">
          {reason}
        </span>
      )}
    </div>
  );
}
