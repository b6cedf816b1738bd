import { useState } from 'react';
import { Docked } from '../../components/dock/Dock';
import type { Draft, InputSpec } from '../../plan/plan';
import { setAside } from '../../plan/set-aside';
import type { SetAside as Waiting } from '../../plan/set-aside';
import { useCatalog } from '../../state/catalog';
import type { Catalog } from '../../state/catalog';
import { useSelect, useStore } from '../../state/store';

/** What an edit of the expression took out of the plan, and the way back. */
export function SetAside() {
  const store = useStore();
  const draft = useSelect((state) => state.draft);
  const past = useSelect((state) => state.history.past);
  const known = useCatalog((catalog) => catalog);
  const settled = useSelect((state) => state.compile.phase === 'done');
  // While somebody types, a tensor may be something else for a moment.
  const [about, setAbout] = useState(draft);
  if (settled && about !== draft) setAbout(draft);
  const waiting = setAside(about);
  if (waiting.length === 0) return null;
  const place = past.findLastIndex((earlier) => setAside(earlier).length < waiting.length);
  if (leftBehind(past, place, draft)) return null;
  return (
    <Docked>
      <ul className="set-aside" aria-label="No longer in the plan">
        {waiting.map((choice) => (
          <li key={`${choice.tensor} ${choice.role.made} ${choice.role.order}`}>
            <p role="status">{inWords(choice, known)}</p>
            <span className="fixes">
              {choice.role.order === choice.now.order &&
                choice.role.made === choice.now.made &&
                choice.role.layout === choice.now.layout && (
                  <button
                    type="button"
                    className="button"
                    aria-label={`Bring back what was set aside for ${choice.tensor}`}
                    onClick={() => store.update({ kind: 'bring back', tensor: choice.tensor })}
                  >
                    Bring it back
                  </button>
                )}
              {place >= 0 && (
                <button type="button" className="button" onClick={() => store.goTo(place)}>
                  Undo the edit
                </button>
              )}
              <button
                type="button"
                className="button quiet"
                aria-label={`Close the note about ${choice.tensor}`}
                onClick={() => store.update({ kind: 'forget', tensor: choice.tensor })}
              >
                Close
              </button>
            </span>
          </li>
        ))}
      </ul>
    </Docked>
  );
}

/** Whether something else was edited since the edit that set something aside, `place` of `past`: the note is stale then. */
export function leftBehind(past: readonly Draft[], place: number, draft: Draft): boolean {
  const [first = draft, ...later] = [...past.slice(place + 1), draft];
  return later.some(
    ({ schedule, target, threads }) =>
      schedule !== first.schedule || target !== first.target || threads !== first.threads,
  );
}

/** "A is the result now. Its input (Skewed rows) and its format csr are no longer in the plan." */
export function inWords({ tensor, role, now, input, format, shape, dtype, argument }: Waiting, known: Catalog): string {
  if (shape !== undefined && input === undefined && format === undefined) {
    return `Set aside: ${tensor} ${shape.join(' × ')}, which is not the shape that the expression gives it now.`;
  }
  const became =
    role.made === now.made && role.layout !== now.layout
      ? `${tensor} has another type now.`
      : role.made === now.made
        ? `${tensor} has ${now.order} ${now.order === 1 ? 'index' : 'indices'} now.`
        : `${tensor} is ${now.made ? 'the result' : 'an operand'} now.`;
  const parts = [
    input === undefined ? null : `its input (${nameOf(input, known)})`,
    format === undefined ? null : `its format ${format}`,
    dtype === undefined ? null : `its type ${dtype}`,
    argument === undefined ? null : `its argument ${argument}`,
    shape === undefined ? null : `its size ${shape.join(' × ')}`,
  ].filter((part) => part !== null);
  const list = parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  return `${became} ${list.charAt(0).toUpperCase()}${list.slice(1)} ${parts.length === 1 ? 'is' : 'are'} no longer in the plan.`;
}

function nameOf(input: InputSpec, { datasets, generators }: Catalog): string {
  const id = input.dataset ?? input.upload;
  if (id !== undefined) return datasets.find((dataset) => dataset.id === id)?.name ?? String(id).slice(0, 16);
  return generators.find(({ name }) => name === input.generator)?.title ?? String(input.generator);
}
