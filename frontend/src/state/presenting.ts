/** What a remote control steps: the picture that is open, if it has steps. */
import { useEffect } from 'react';
import { createExternal } from './external';
import type { Store } from './store';

type Step = (by: 1 | -1) => void;

const open = createExternal<readonly Step[]>([]);

/** The steps of a picture, as long as it is drawn; of several, those of the one that came last. */
export function useSteps(step: Step): void {
  useEffect(() => {
    open.set([...open.get(), step]);
    return () => open.set(open.get().filter((other) => other !== step));
  }, [step]);
}

const KEYS: Readonly<Record<string, 1 | -1>> = { PageDown: 1, ArrowRight: 1, PageUp: -1, ArrowLeft: -1 };
/** What has a meaning of its own for arrows. */
const WITH_ARROWS = '[role=tab], [role=listbox], [role=separator], .frames';
/** What is written in. */
const FIELDS = 'input, textarea, select, [contenteditable=true]';

/** Whether a key steps the open picture; without steps it goes to the next one of ``pictures``. */
export function stepPicture(store: Store, event: KeyboardEvent, pictures: readonly string[]): boolean {
  const by = KEYS[event.key];
  const { view, overlay } = store.get();
  const isIn = (places: string): boolean => event.target instanceof Element && event.target.closest(places) !== null;
  if (by === undefined || !view.present || overlay !== null || event.altKey || event.ctrlKey || event.metaKey)
    return false;
  if (isIn(FIELDS) || (event.key.startsWith('Arrow') && isIn(WITH_ARROWS))) return false;
  const step = open.get().at(-1);
  if (step !== undefined) step(by);
  else {
    const next = pictures[pictures.indexOf(view.understand) + by];
    if (next !== undefined) store.look({ understand: next });
  }
  return true;
}
