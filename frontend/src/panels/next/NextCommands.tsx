import { useState } from 'react';
import { Prose } from '../../components/Prose';
import { useCatalog } from '../../state/catalog';
import { useSelect, useStore } from '../../state/store';
import { useLegal } from '../../state/use-legal';
import { groupsAbout, insertion, variablesOf } from '../../components/candidates/candidates';
import { CommandCandidates } from '../../components/candidates/CommandCandidates';
import './next.css';

/**
 * What may come next: each command with its legal arguments, and the reason for what is not legal
 * (docs/sources.md V22).
 */
export default function NextCommands() {
  const store = useStore();
  const { view, problem, stale } = useLegal();
  const graph = useSelect((state) => state.compile.shown?.view.graph ?? null);
  const specs = useCatalog((catalog) => catalog.commands);
  const [chosen, setChosen] = useState<string | null>(null);
  const [said, say] = useState('');
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
  return (
    <section className="next-commands" aria-label="What may come next" aria-busy={stale}>
      {!view.ok && view.diagnostics[0] !== undefined && (
        <p className="caption tone-warning">
          {view.commands.length === 0 ? 'Fix this first: ' : `After the ${view.applied} that apply; behind them: `}
          <Prose text={view.diagnostics[0].message} />
        </p>
      )}
      {variables.length > 1 && (
        <div className="next-about" role="group" aria-label="Show commands about">
          {[null, ...variables].map((name) => (
            <button key={name ?? ''} type="button" aria-pressed={name === about} onClick={() => setChosen(name)}>
              {name ?? 'all loops'}
            </button>
          ))}
        </div>
      )}
      {groups.map((group) => (
        <details key={group.name} className={group.legal.length === 0 ? 'next-group next-none' : 'next-group'}>
          <summary title={specs.find(({ name }) => name === group.name)?.summary}>
            <code>{group.name}</code>
            <span className="caption muted">
              {group.legal.length > 0 ? `${group.legal.length} legal` : 'not here'}
              {group.refused.length > 0 && group.legal.length > 0 ? `, ${group.refused.length} refused` : ''}
            </span>
          </summary>
          <CommandCandidates group={group} onInsert={insert} onFix={(fix) => store.update({ kind: 'fix', fix })} />
        </details>
      ))}
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </section>
  );
}
