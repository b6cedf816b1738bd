import { expect, it } from 'vitest';
import type { Knowledge } from '../../editor/knowledge';
import type { Actions } from '../../state/actions';
import type { Catalog } from '../../state/catalog';
import { DEFAULT_DRAFT } from '../../plan/plan';
import { createStore } from '../../state/store';
import { paletteEntries } from './commands';

it('offers the order of loops of today to a plan of an earlier version alone', () => {
  const store = createStore();
  const catalog = { commands: [], examples: [] } as unknown as Catalog;
  const entry = () =>
    paletteEntries(store, {} as Actions, catalog, {} as Knowledge).find(({ title }) => title.includes('loop order'));
  expect(entry()).toBeUndefined();
  store.update({ kind: 'open', draft: { ...DEFAULT_DRAFT, version: 1 } });
  expect(entry()?.title).toBe('Use the default loop order of version 2');
  entry()?.run();
  expect(store.get().draft).toEqual(DEFAULT_DRAFT);
  expect(entry()).toBeUndefined();
});
