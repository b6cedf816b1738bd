import { Dialog } from '../../components/Dialog';
import { useSelect, useStore } from '../../state/store';
import { describeStep } from './describe';

/** Every step of undo and redo; pressing one goes there. */
export default function HistoryDialog({ onClose }: { readonly onClose: () => void }) {
  const store = useStore();
  const { past, future } = useSelect((state) => state.history);
  const draft = useSelect((state) => state.draft);
  const states = [...past, draft, ...future];
  return (
    <Dialog title="History" onClose={onClose}>
      <p className="caption muted">
        Choose a step to go back to it. The later steps are kept until you change the plan there.
      </p>
      <ol className="history" aria-label="Steps">
        {states.map((state, index) => {
          const before = states[index - 1];
          return (
            <li key={index}>
              <button
                type="button"
                className="history-step"
                aria-current={index === past.length ? 'step' : undefined}
                onClick={() => store.goTo(index)}
              >
                {before === undefined
                  ? `Started with ${state.expression || 'an empty plan'}`
                  : describeStep(before, state)}
              </button>
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}
