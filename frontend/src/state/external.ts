/** The smallest store: a value, its listeners, and a React hook that selects from it. */
import { useSyncExternalStore } from 'react';

export interface External<T> {
  readonly get: () => T;
  readonly set: (next: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createExternal<T>(initial: T): External<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      [...listeners].forEach((listener) => listener());
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** `select` must return a part of the state itself (or a primitive), not a new object. */
export function useExternal<T, Part>(external: External<T>, select: (value: T) => Part): Part {
  return useSyncExternalStore(external.subscribe, () => select(external.get()));
}
