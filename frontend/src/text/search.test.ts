import { expect, it } from 'vitest';
import { search } from './search';

const find = (query: string): string[] =>
  search(['Show Provenance graph', 'Add split', 'Open SpMV, equal shares', 'Split the page'], query, (text) => [text]);

it('finds every word in any order, and prefers the beginning', () => {
  expect(find('split')).toEqual(['Split the page', 'Add split']);
  expect(find('graph prov')).toEqual(['Show Provenance graph']);
  expect(find('nothing like it')).toEqual([]);
  expect(find('')).toHaveLength(4);
});
