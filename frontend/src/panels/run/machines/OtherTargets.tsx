import type { WorkerView } from '../../../api/types';
import { useActions } from '../../../state/actions';
import { useFirstComplaint } from '../../../state/editing/complaints';
import { isRunning } from '../../../state/runs/run-state';
import { useSelect, useStore } from '../../../state/store';
import { lackOf } from './missing-target';
import { TARGETS } from '../../../plan/targets';
import type { Target } from '../../../plan/targets';

/** Where no connected machine can run the target: says so, and offers those that can, each with one click. */
export function OtherTargets({ workers }: { readonly workers: readonly WorkerView[] }) {
  const store = useStore();
  const { run } = useActions();
  const target = useSelect((state) => state.draft.target);
  const busy = useSelect((state) => isRunning(state.run));
  const complaint = useFirstComplaint();
  const lack = lackOf(target, workers);
  if (lack === null) return null;
  const start = (other: Target): void => {
    store.update({ kind: 'target', target: other });
    store.look({ run: 'result' });
    void run.start();
  };
  return (
    <div className="other-targets" role="note">
      <p>
        {lack.reason}, so this target cannot run now.{' '}
        {lack.instead.length > 0 && 'The same schedule can run, and be checked, without one:'}
      </p>
      {lack.instead.map((other) => (
        <button
          key={other}
          type="button"
          className="button"
          disabled={busy || complaint !== null}
          onClick={() => start(other)}
        >
          {TARGETS[other].action}
        </button>
      ))}
    </div>
  );
}
