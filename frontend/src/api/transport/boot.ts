/** How far the compiler in this browser has started. */

export type Boot =
  | { readonly phase: 'waiting' }
  | { readonly phase: 'loading'; readonly loaded: number; readonly total: number }
  | { readonly phase: 'starting' }
  | { readonly phase: 'ready' }
  | { readonly phase: 'failed'; readonly reason: string };

let boot: Boot = { phase: 'waiting' };
const listeners = new Set<() => void>();

export const getBoot = (): Boot => boot;

export function setBoot(next: Boot): void {
  boot = next;
  [...listeners].forEach((listener) => listener());
}

export function subscribeToBoot(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const MEGABYTE = 1e6;

/** What the status line says; empty once the compiler runs, and before anything asked for it. */
export function bootInWords(state: Boot): string {
  switch (state.phase) {
    case 'waiting':
    case 'ready':
      return '';
    case 'loading':
      return `Starting the compiler in this browser (${(state.loaded / MEGABYTE).toFixed(1)} of ${(state.total / MEGABYTE).toFixed(0)} MB)`;
    case 'starting':
      return 'Starting the compiler in this browser';
    case 'failed':
      return state.reason;
  }
}
