/** Moves the focus to what was just opened, once it is drawn: it may be in a file of its own. */

const FRAMES = 120;
/** What is inside may wait for an answer, in a folder for a compiler that starts. */
const PAUSE_MS = 100;
const PAUSES = 600;

/** ``inside`` is what of ``place`` takes the focus where it has that; the place itself does until it comes. */
export function focusSoon(place: string, inside: string): void {
  let frames = FRAMES;
  let pauses = PAUSES;
  let first: Element | null = null;
  const look = (): void => {
    const found = document.querySelector<HTMLElement>(place);
    // A dialog that closes gives the focus back to what had it.
    const ready = found !== null && document.querySelector('dialog[open]') === null;
    if (ready) {
      const better = found.querySelector<HTMLElement>(inside);
      // Whoever has gone elsewhere meanwhile stays there.
      const moved = first !== null && document.activeElement !== first;
      if (moved) return;
      (better ?? found).focus();
      first = better ?? found;
      if (better !== null) return;
    }
    if (first !== null) {
      if (pauses-- > 0) setTimeout(look, PAUSE_MS);
    } else if (frames-- > 0) requestAnimationFrame(look);
  };
  // Behind the effects of what closes.
  setTimeout(look, 0);
}
