import { useRef, useState } from 'react';
import { isAbort, lookupTuned, suggest, toProblem } from '../../api/client';
import type { LookupView, SuggestionView } from '../../api/types';
import { becomesLoops, toPlan } from '../../plan/plan';
import { readPlan } from '../../plan/plan-reader';
import type { Draft } from '../../plan/plan';
import { Icon } from '../../components/diagram/Icon';
import { Menu } from '../../components/menu/Menu';
import { useCatalog } from '../../state/catalog';
import { useSelect, useStore } from '../../state/store';
import { formatNanoseconds } from '../../text/quantities';

interface Answer {
  readonly view: SuggestionView;
  /** What was written into the editor; once a person edits it, the reasons are about another schedule. */
  readonly schedule: string;
  /** What searches found for the same program under any names, the nearest case first. */
  readonly known: LookupView['offers'];
}

/** So many of them; the tab Cache has all. */
const SHOWN = 3;

/** Writes a schedule chosen by rules into the editor, as one step that can be undone, and says why it is this one. */
export function SuggestSchedule() {
  const store = useStore();
  const draft = useSelect((state) => state.draft);
  const text = draft.schedule;
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [trouble, setTrouble] = useState<{ readonly text: string; readonly about: Draft } | null>(null);
  const [busy, setBusy] = useState(false);
  const machines = useCatalog((catalog) => catalog.suggestion_machines);
  const [machine, setMachine] = useState<string | null>(null);
  const hasCommands = !becomesLoops(draft.language);
  const running = useRef<AbortController | null>(null);

  const choose = async (machine: string | null): Promise<void> => {
    setMachine(machine);
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setTrouble(null);
    try {
      const before = store.get().draft;
      const view = await suggest(toPlan(before), machine, controller.signal);
      // Rules answer without it: a service that is busy has no such part. Nothing is kept for programs without statements.
      const known =
        view.ok && !becomesLoops(before.language)
          ? await lookupTuned(toPlan(before), controller.signal).then(
              ({ offers }) => offers,
              () => [],
            )
          : [];
      if (running.current !== controller) return;
      if (!view.ok) {
        setTrouble({ text: view.diagnostics[0]?.message ?? 'No schedule was found.', about: before });
      } else if (store.get().draft !== before) {
        setTrouble({ text: 'The program has changed since; choose again.', about: store.get().draft });
      } else {
        const schedule = view.schedule.join('\n');
        store.update({ kind: 'schedule', text: schedule });
        setAnswer({ view, schedule, known: known.slice(0, SHOWN) });
      }
    } catch (error) {
      if (!isAbort(error)) setTrouble({ text: toProblem(error).detail, about: store.get().draft });
    } finally {
      if (running.current === controller) setBusy(false);
    }
  };

  const storeAs = async (tensor: string, format: string): Promise<void> => {
    store.update({ kind: 'format', tensor, text: format });
    await choose(machine);
  };

  const current = answer !== null && answer.schedule === text ? answer : null;
  const shown = current?.view ?? null;
  return (
    <div className="suggest">
      <button type="button" className="button" aria-busy={busy} onClick={() => void choose(null)}>
        Choose a schedule for me
      </button>
      <Menu
        label="More ways to a schedule"
        className="icon-button"
        items={[
          ...(hasCommands
            ? [{ title: 'Paste from TACO', says: 'A command line or C++', onChoose: () => store.openImport() }]
            : []),
          ...machines.slice(1).map(({ name, title }) => ({
            title: `Choose one for ${title}`,
            onChoose: () => void choose(name),
          })),
        ]}
      >
        <Icon name="more" />
      </Menu>
      <div role="status">
        {trouble?.about === draft && <p className="caption tone-warning">{trouble.text}</p>}
        {shown !== null && (
          <>
            <p className="caption">{shown.title}</p>
            <ul className="caption muted" aria-label="Why this schedule">
              {shown.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
            {shown.formats.map(({ tensor, format, reason }) => (
              <p className="caption" key={tensor}>
                <button type="button" className="button" onClick={() => void storeAs(tensor, format)}>
                  Store {tensor} as {format}
                </button>{' '}
                <span className="muted">{reason}</span>
              </p>
            ))}
            {current?.known.map((offer) => (
              <p className="caption" key={`${offer.date}${offer.median_ns}${offer.schedule.join(';')}`}>
                <button
                  type="button"
                  className="button"
                  onClick={() => store.update({ kind: 'open', draft: readPlan(offer.plan) })}
                >
                  Use what a search found
                </button>{' '}
                <span className="muted">
                  {formatNanoseconds(offer.median_ns)} on {offer.machine}
                  {offer.gain === null
                    ? ", which its search could not tell from the rules' schedule"
                    : `, ${offer.gain.toFixed(2)} times as fast as the rules' schedule there`}
                  ; found for {offer.nearness}, {offer.date.slice(0, 10)}
                </span>
              </p>
            ))}
          </>
        )}
      </div>
    </div>
  );
}
