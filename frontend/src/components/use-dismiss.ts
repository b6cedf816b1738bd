import { useEffect } from 'react';
import type { RefObject } from 'react';

/** Closes what opened above the page: by Escape, which `close` may tell from the rest, and by a press outside of it. */
export function useDismiss(
  box: RefObject<HTMLElement | null>,
  open: boolean,
  close: (by: 'escape' | 'outside') => void,
): void {
  useEffect(() => {
    if (!open) return;
    const press = (event: PointerEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) close('outside');
    };
    const key = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') close('escape');
    };
    document.addEventListener('pointerdown', press);
    document.addEventListener('keydown', key);
    return () => {
      document.removeEventListener('pointerdown', press);
      document.removeEventListener('keydown', key);
    };
  }, [box, open, close]);
}
