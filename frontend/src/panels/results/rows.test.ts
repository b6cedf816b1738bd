import { describe, expect, it } from 'vitest';
import { readMeasured, withMeasured } from '../../state/runs/measured';
import type { Measured } from '../../state/runs/measured';
import { columnsOf, filterRows, sortRows, toCsv } from './rows';

const row = (id: string, part: Partial<Measured> = {}): Measured => ({
  id,
  date: `2026-11-2${id}T10:00:00+00:00`,
  plan: { version: 1, expression: 'y(i) = A(i,j) * x(j)', tensors: { A: { format: 'csr' } } },
  inputs: 'A: dataset karate',
  threads: 2,
  verified: true,
  median: 1000,
  rate: null,
  share: null,
  ratios: { SciPy: 2 },
  pinned: false,
  ...part,
});
const ids = (rows: readonly Measured[]): string[] => rows.map(({ id }) => id);

describe('the table of results', () => {
  const rows = [row('3', { median: 5 }), row('2', { median: null }), row('1', { median: 9, ratios: { MKL: 1 } })];
  const columns = columnsOf(rows);

  it('has a column for each contender that was compared with', () => {
    expect(columns.map(({ title }) => title)).toContain('× SciPy');
    expect(columns.map(({ title }) => title)).toContain('× MKL');
  });

  it('is sorted in both directions, what is missing last, pinned rows first', () => {
    expect(ids(sortRows(rows, columns, { column: 'median', descending: false }))).toEqual(['3', '1', '2']);
    expect(ids(sortRows(rows, columns, { column: 'median', descending: true }))).toEqual(['1', '3', '2']);
    const pinned = rows.map((one) => ({ ...one, pinned: one.id === '2' }));
    expect(ids(sortRows(pinned, columns, { column: 'date', descending: true }))).toEqual(['2', '3', '1']);
  });

  it('keeps rows that hold every word of the filter in any column', () => {
    const mixed = [row('1'), row('2', { inputs: 'A: dataset bcsstk13' })];
    expect(ids(filterRows(mixed, columns, 'CSR bcsstk'))).toEqual(['2']);
    expect(ids(filterRows(mixed, columns, 'csr nothing'))).toEqual([]);
    expect(ids(filterRows(mixed, columns, ''))).toEqual(['1', '2']);
  });

  it('is exported as CSV with quotes where they are needed, and no formula', () => {
    const text = toCsv([row('1', { inputs: '=A1, "B"' })], columnsOf([row('1')]));
    expect(text.split('\n')[0]).toContain('median_ns');
    expect(text).toContain('"y(i) = A(i,j) * x(j)"');
    expect(text).toContain(`"'=A1, ""B"""`);
  });
});

describe('what is kept of earlier visits', () => {
  it('holds each run once and drops the oldest that is not pinned', () => {
    const one = row('1');
    expect(withMeasured([one], one)).toEqual([one]);
    const many = Array.from({ length: 200 }, (_, index) => row(`old ${index}`, { pinned: index === 199 }));
    const next = withMeasured(many, one);
    expect(next).toHaveLength(200);
    expect(next[0]).toBe(one);
    expect(ids(next).slice(-2)).toEqual(['old 197', 'old 199']);
  });

  it('survives a storage that holds something else', () => {
    expect(readMeasured(null)).toEqual([]);
    expect(readMeasured('{')).toEqual([]);
    expect(readMeasured('[1, null, {"id": "x"}]')).toEqual([]);
    expect(readMeasured(JSON.stringify([row('1')]))).toEqual([row('1')]);
  });
});
