import { expect, test } from 'vitest';
import { addressOf, existing, startsOf, strategyIn, withLength, withStrategy } from './layout';

test('rows begin where those in front of them end', () => {
  expect(startsOf([1, 2, 3, 4])).toEqual([0, 1, 3, 6, 10]);
  expect(startsOf([])).toEqual([0]);
  for (const [i, length] of [2, 0, 3, 2].entries())
    for (let j = 0; j < length; j++) expect(addressOf([2, 0, 3, 2], i, j)).toBe((startsOf([2, 0, 3, 2])[i] ?? 0) + j);
});

test('an element that is gone gives its place to the first that is there', () => {
  expect(existing([2, 0, 3], { row: 2, place: 1 })).toEqual({ row: 2, place: 1 });
  expect(existing([0, 2], { row: 0, place: 1 })).toEqual({ row: 1, place: 0 });
  expect(existing([0, 0], { row: 0, place: 0 })).toBeNull();
});

test('a strategy replaces the one before, and the automatic one is none', () => {
  const schedule = 'mapPar(map1)\nsums(vals, memo)\nsums(cols, loop)';
  expect(withStrategy(schedule, 'vals', 'loop')).toBe('mapPar(map1)\nsums(cols, loop)\nsums(vals, loop)');
  expect(withStrategy(schedule, 'vals', 'auto')).toBe('mapPar(map1)\nsums(cols, loop)');
});

test('the last strategy of a schedule is in force', () => {
  expect(strategyIn('sums(vals, memo)\nsums(vals, loop)\nsums(cols, memo)', 'vals')).toBe('loop');
  expect(strategyIn('mapPar(map1)', 'vals')).toBe('auto');
});

test('a length is written at every place that says it', () => {
  const text = '[i -> [int]_{i+1}]_n, [i -> [float]_{i+1}]_n';
  const spans = [
    [text.indexOf('i+1'), text.indexOf('i+1') + 3],
    [text.lastIndexOf('i+1'), text.lastIndexOf('i+1') + 3],
  ];
  expect(withLength(text, spans, '2*i')).toBe('[i -> [int]_{2*i}]_n, [i -> [float]_{2*i}]_n');
});
