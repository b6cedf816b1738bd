import type { ReactNode } from 'react';
import { becomesLoops } from '../../plan/plan';
import { useSelect, useStore } from '../../state/store';
import { Explained } from '../../components/Term';

/** What runs while the schedule is empty: the loops as they are stored, or the schedule that was made for a GPU. */
export function NoSchedule({ advice }: { readonly advice: ReactNode }) {
  const store = useStore();
  const compile = useSelect((state) => state.compile);
  const language = useSelect((state) => state.draft.language);
  const made = compile.phase === 'done' ? (compile.result?.commands ?? []) : [];
  if (becomesLoops(language)) {
    return (
      <p className="muted caption">
        No schedule. Steps rewrite the program at a pattern by its name, such as <code>splitUpJoin(map1, 8)</code>.
      </p>
    );
  }
  if (made.length === 0) {
    return (
      <p className="muted caption">
        <Explained>No schedule: the loops run in storage order. {advice}</Explained>
      </p>
    );
  }
  const text = made.map((command) => command.text).join('\n');
  return (
    <div className="no-schedule">
      <p className="muted caption">No schedule: a GPU needs one, and this one is used.</p>
      <pre>{text}</pre>
      <button type="button" className="button" onClick={() => store.update({ kind: 'schedule', text })}>
        Write it into the schedule
      </button>
    </div>
  );
}
