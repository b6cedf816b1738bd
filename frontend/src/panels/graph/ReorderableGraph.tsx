import { useState } from 'react';
import type { CompileView } from '../../api/types';
import { useStore } from '../../state/store';
import { useLegal } from '../../state/use-legal';
import { insertion } from '../../components/candidates/candidates';
import { CommandCandidates } from '../../components/candidates/CommandCandidates';
import { RefusedCandidate } from '../../components/candidates/RefusedCandidate';
import GraphPanel from '../../components/graph/GraphPanel';
import { useReorder } from './use-reorder';

/** The iteration graph of the plan on the page: its loops move by drag, by key and from a list (docs/sources.toml V2). */
export default function ReorderableGraph({ result }: { readonly result: CompileView }) {
  const store = useStore();
  const [near, setNear] = useState(false);
  const [open, setOpen] = useState(false);
  const legal = useLegal(near || open);
  const { reorder, outcome, clear } = useReorder(result, legal);
  const group = legal.stale ? undefined : legal.view?.commands.find(({ name }) => name === 'reorder');
  const insert = (command: string): void => {
    clear();
    if (legal.view === null) return;
    store.update({ kind: 'row', change: insertion(store.get().draft.schedule, legal.view, command) });
  };
  const fix = (repair: Parameters<typeof store.update>[0]): void => {
    clear();
    store.update(repair);
  };
  return (
    <div
      className="reorderable"
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
    >
      <GraphPanel
        result={result}
        onMerge={() => store.look({ understand: 'lattice' })}
        reorder={result.ok ? reorder : undefined}
        controls={
          <button
            type="button"
            aria-expanded={open}
            data-tip="Drag a loop, or press Alt+↑ and Alt+↓ on it"
            onClick={() => setOpen(!open)}
          >
            Reorder
          </button>
        }
      />
      {open && (
        <div className="reorder-list" role="group" aria-label="Orders of the loops">
          {group === undefined ? (
            <p className="caption muted">{legal.problem?.detail ?? 'Trying the orders…'}</p>
          ) : (
            <>
              <CommandCandidates
                name={group.name}
                legal={group.candidates.filter(({ why_not }) => why_not === null)}
                onInsert={insert}
              />
              <ul className="refusals" aria-label="Orders that cannot be applied here">
                {group.candidates
                  .filter(({ why_not }) => why_not !== null)
                  .map((candidate) => (
                    <RefusedCandidate
                      key={candidate.text}
                      candidate={candidate}
                      onInsert={insert}
                      onFix={(repair) => fix({ kind: 'fix', fix: repair })}
                    />
                  ))}
              </ul>
            </>
          )}
        </div>
      )}
      <div role="status" className={outcome.refused === null ? 'visually-hidden' : 'reorder-refused'}>
        {outcome.said}
        {outcome.refused !== null && (
          <>
            <ul className="refusals" aria-label="Why the loop stays">
              <RefusedCandidate
                candidate={outcome.refused}
                onInsert={insert}
                onFix={(repair) => fix({ kind: 'fix', fix: repair })}
              />
            </ul>
            <button type="button" className="button quiet" onClick={clear}>
              Close
            </button>
          </>
        )}
      </div>
    </div>
  );
}
