import { useEffect } from 'react';
import type { RefObject } from 'react';
import { links, matches, type LinkId } from '../../state/links';

interface Known {
  readonly element: HTMLElement;
  readonly ids: readonly LinkId[];
  lit: boolean;
}

/**
 * Lights the linked elements inside `root` (those with `data-link`) straight in the document: with thousands of names
 * in a listing, rendering each of them again for every move of the pointer would be too slow.
 *
 * When the light comes from another panel and none of it is in sight, the first lit line is scrolled into view.
 * `content` is what the elements were rendered from; a new one is searched for elements again.
 */
export function useLitElements(root: RefObject<HTMLElement | null>, content: unknown): void {
  useEffect(() => {
    const frame = root.current;
    if (!frame) return;
    // Elements are used again for other pieces of new code: what was lit before says nothing about them.
    for (const attribute of ['data-linked', 'data-lit-line']) {
      frame.querySelectorAll(`[${attribute}]`).forEach((element) => element.removeAttribute(attribute));
    }
    const known: Known[] = [...frame.querySelectorAll<HTMLElement>('[data-link]')].map((element) => ({
      element,
      ids: (element.dataset['link'] ?? '').split(' ') as LinkId[],
      lit: false,
    }));
    let look = 0;
    const update = (): void => {
      const { pointed, pinned } = links.get();
      const lit = [...pointed, ...pinned];
      for (const one of known) {
        const now = lit.length > 0 && matches(one.ids, lit);
        const attribute = one.element.dataset['line'] === undefined ? 'data-linked' : 'data-lit-line';
        if (now !== one.lit) one.element.toggleAttribute(attribute, now);
        one.lit = now;
      }
      const here = frame.matches(':hover') || frame.contains(document.activeElement);
      cancelAnimationFrame(look);
      if (here || pointed.length === 0) return;
      // Where things are is known with the next frame; asked now, the browser would lay out the page once more.
      look = requestAnimationFrame(() =>
        reveal(
          frame,
          known.filter((one) => one.lit).map((one) => one.element),
        ),
      );
    };
    update();
    const forget = links.subscribe(update);
    return () => {
      cancelAnimationFrame(look);
      forget();
    };
  }, [root, content]);
}

function reveal(frame: HTMLElement, lit: readonly HTMLElement[]): void {
  const [first] = lit;
  if (!first) return;
  const box = frame.getBoundingClientRect();
  const inSight = lit.some((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= box.top && bottom <= box.bottom;
  });
  if (!inSight) frame.scrollTop += first.getBoundingClientRect().top - box.top - box.height / 3;
}
