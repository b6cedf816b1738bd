import { createContext, useContext, useEffect } from 'react';
import type { Size } from './viewport';

/** Told how large a diagram is by nature, by whoever shares out the room among several. */
export const NaturalSizeContext = createContext<((size: Size) => void) | null>(null);

export function useNaturalSize({ width, height }: Size): void {
  const tell = useContext(NaturalSizeContext);
  useEffect(() => tell?.({ width, height }), [tell, width, height]);
}
