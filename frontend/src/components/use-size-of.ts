import { useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The room inside an element, in px; null before it is known. */
export function useSizeOf(element: RefObject<Element | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** How wide to draw in an element, in px: as wide as it is, between two bounds; the widest before it is known. */
export function useWidthWithin(element: RefObject<Element | null>, narrowest: number, widest: number): number {
  return Math.round(Math.min(widest, Math.max(narrowest, useSizeOf(element)?.width ?? widest)));
}
