import { expect, test } from 'vitest';
import { DEFAULT_DRAFT } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { createStore, INITIAL_STATE } from '../store';
import { awaitsFirst, expectedTensors } from './expected';

const named = (draft: Partial<Draft>): string[] =>
  expectedTensors({ ...DEFAULT_DRAFT, tensors: {}, ...draft }).map(
    ({ name, dimensions, format, dtype, result }) =>
      `${result ? '=' : ''}${name}(${dimensions.join(',')}) ${format} ${dtype}`,
  );

test('the tensors of an expression are known before the answer, with what the plan says of them', () => {
  const tensors = { A: { format: 'csr', dtype: 'float32' }, gone: { format: 'coo' } };
  expect(named({ expression: 'y(i) = alpha * A(i, j) * x(j) + A(j,i)', tensors })).toEqual([
    '=y(i) dense float64',
    'alpha() dense float64',
    'A(i,j) csr float32',
    'x(j) dense float64',
  ]);
});

test('of what cannot be read, and of other languages, nothing is expected', () => {
  expect(named({ expression: 'y(i) = ' })).toEqual([]);
  expect(named({ language: 'patterns', expression: 'y(i) = A(i,j)' })).toEqual([]);
});

test('something is awaited until the first answer, and not from a service that is away', () => {
  const store = createStore();
  expect(awaitsFirst(store.get())).toBe(true);
  store.patch({ compile: { ...INITIAL_STATE.compile, phase: 'compiling' } });
  expect(awaitsFirst(store.get())).toBe(true);
  store.patch({ compile: { ...INITIAL_STATE.compile, phase: 'offline' } });
  expect(awaitsFirst(store.get())).toBe(false);
});
