/** Moves the focus to what was just opened, once it is drawn: it may be in a file of its own. */

const FRAMES = 120;

/** ``inside`` is what of ``place`` takes the focus where it has that; the place itself does until it comes. */
export function focusSoon(place: string, inside: string): void {
  let left = FRAMES;
  let first: Element | null = null;
  const look = (): void => {
    left -= 1;
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
    if (left > 0) requestAnimationFrame(look);
  };
  // Behind the effects of what closes.
  setTimeout(look, 0);
}
