import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { FixView, GoalView } from '../../api/types';
import { Prose } from '../../components/Prose';
import { becomesLoops } from '../../plan/plan';
import { useCatalog } from '../../state/catalog';
import { listMore } from '../../state/loops/legal-loop';
import { useSelect, useStore } from '../../state/store';
import { useLegal } from '../../state/use-legal';
import { causesOf } from '../../components/candidates/causes';
import { groupsAbout, insertion, variablesOf } from '../../components/candidates/candidates';
import { CommandCandidates } from '../../components/candidates/CommandCandidates';
import { MoreCandidates } from '../../components/candidates/MoreCandidates';
import { scheduleRows } from '../../schedule/schedule-lines';
import { Causes } from './Causes';
import { Goals } from './Goals';
import './next.css';

/**
 * What may come next: goals with the commands that lead there, each command with its legal arguments, and the reason
 * for what is not legal (docs/sources.toml V22). What the press of ``opener`` opened comes into sight and has the focus.
 */
export default function NextCommands({ opener }: { readonly opener: RefObject<HTMLElement | null> | null }) {
  const store = useStore();
  const { view, problem, stale } = useLegal();
  const graph = useSelect((state) => state.compile.shown?.view.graph ?? null);
  const steps = becomesLoops(useSelect((state) => state.draft.language));
  const specs = useCatalog((catalog) => catalog.commands);
  const [chosen, setChosen] = useState<string | null>(null);
  const [said, say] = useState('');
  const section = useRef<HTMLElement>(null);
  const ready = view !== null;
  useEffect(() => {
    if (!ready || opener === null) return;
    opener.current?.scrollIntoView({ block: 'start' });
    section.current?.focus({ preventScroll: true });
  }, [ready, opener]);
  if (view === null) {
    return <p className="muted caption">{problem === null ? 'Trying what may come next…' : problem.detail}</p>;
  }
  const variables = variablesOf(
    view.commands,
    (graph?.nodes ?? []).map(({ variable }) => variable),
  );
  const about = chosen !== null && variables.includes(chosen) ? chosen : null;
  const groups = groupsAbout(view.commands, about);
  const insert = (command: string): void => {
    store.update({ kind: 'row', change: insertion(store.get().draft.schedule, view, command) });
    say(`${command} added.`);
  };
  const more = (command: string): void => void listMore(store, command);
  const fix = (repair: FixView): void => store.update({ kind: 'fix', fix: repair });
  const take = ({ title, commands, schedule }: GoalView): void => {
    const kept = scheduleRows(store.get().draft.schedule).filter(({ kind }) => kind === 'command');
    const behind = kept.slice(view.applied).map(({ text }) => text);
    fix({ title, schedule: [...schedule, ...behind], expression: null, formats: null, options: null });
    say(`${title}: ${commands.join('; ')} added.`);
  };
  return (
    <section ref={section} tabIndex={-1} className="next-commands" aria-label="What may come next" aria-busy={stale}>
      {!view.ok && view.diagnostics[0] !== undefined && (
        <p className="caption tone-warning">
          {view.commands.length === 0 ? 'Fix this first: ' : `After the ${view.applied} that apply; after them: `}
          <Prose text={view.diagnostics[0].message} />
        </p>
      )}
      <Goals goals={view.goals} onTake={take} />
      <h3 className="next-head">{steps ? 'Steps' : 'Single commands'}</h3>
      {variables.length > 1 && (
        <div className="next-about" role="group" aria-label="Show commands about">
          {[null, ...variables].map((name) => (
            <button key={name ?? ''} type="button" aria-pressed={name === about} onClick={() => setChosen(name)}>
              {name ?? (steps ? 'all patterns' : 'all loops')}
            </button>
          ))}
        </div>
      )}
      {groups
        .filter(({ legal }) => legal.length > 0)
        .map((group) => (
          <details key={group.name} className="next-group">
            <summary data-tip={specs.find(({ name }) => name === group.name)?.summary}>
              <code>{group.name}</code>
              <span className="caption muted">{group.legal.length}</span>
            </summary>
            <CommandCandidates name={group.name} legal={group.legal} onInsert={insert} />
            <MoreCandidates groups={[group]} onMore={more} />
          </details>
        ))}
      <Causes causes={causesOf(groups)} onInsert={insert} onFix={fix}>
        <MoreCandidates groups={groups} onMore={more} />
      </Causes>
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </section>
  );
}
