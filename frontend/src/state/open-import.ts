import type { Store } from './store';

/** Opens the dialog that reads a plan out of a text of another program. */
export function openImport(store: Store, text = ''): void {
  store.pasted.set(text);
  store.patch({ overlay: 'import' });
}
