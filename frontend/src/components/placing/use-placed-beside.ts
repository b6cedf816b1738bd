import { useEffect } from 'react';
import type { RefObject } from 'react';
import { placeBeside } from './place-beside';

/** Shows a box in the top layer, beside the button that opened it, for as long as it is there. */
export function usePlacedBeside(box: RefObject<HTMLElement | null>, opener: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const shown = box.current;
    if (shown === null) return;
    shown.showPopover();
    const place = (): void => {
      const near = opener.current?.getBoundingClientRect();
      if (near !== undefined) placeBeside(shown, near, 4);
    };
    place();
    // What it shows comes later than it does.
    const grown = new ResizeObserver(place);
    grown.observe(shown);
    window.addEventListener('resize', place);
    document.addEventListener('scroll', place, true);
    return () => {
      grown.disconnect();
      window.removeEventListener('resize', place);
      document.removeEventListener('scroll', place, true);
    };
  }, [box, opener]);
}
