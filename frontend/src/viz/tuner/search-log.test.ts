import { describe, expect, it } from 'vitest';
import { bestSoFar, inheritance, readSearch, scatter, upTo } from './search-log';

const candidate = (id: number, generation: number, seconds: number | null, more: object = {}) => ({
  event: 'candidate', id, generation, origin: 'random', parents: [], sources: [], mutated: [], genes: [0, 1],
  schedule: [], formats: {}, plan: `plan ${id}`, seconds, reason: '', ...more,
}); // prettier-ignore
const GENES = [
  { name: 'order', values: ['i j', 'j i'], meaning: 'loops' },
  { name: 'unroll', values: [1, 2], meaning: 'unrolled' },
];
const LINES = [
  { event: 'header', plan: {}, strategy: 'genetic', seed: 7, points: 4, genes: GENES },
  candidate(0, 0, 4),
  candidate(1, 0, null),
  { event: 'generation', number: 0, evaluations: 2, best: 4, refused: { 'schedule/race': 3 } },
  candidate(2, 1, 2, { parents: [0, 0, 1], sources: [2, 0], mutated: [1] }),
  { event: 'generation', number: 1, evaluations: 3, best: 2, refused: {} },
];

describe('the log of a search', () => {
  const search = readSearch(LINES);
  if (search === null) throw new Error('no search');

  it('is nothing before its header', () => expect(readSearch([])).toBeNull());

  it('shows what is timed of the generation under way', () => {
    const timed = { ...candidate(9, 9, 1), event: 'timed', plan: 'new' };
    const more = readSearch([...LINES, { ...timed, plan: 'plan 2' }, timed]);
    expect(more?.candidates.slice(3).map(({ id, generation, origin }) => [id, generation, origin])).toEqual([
      [3, 2, 'under way'],
    ]);
  });

  it('has the fastest up to each generation', () => expect(bestSoFar(search)).toEqual([4, 2]));

  it('can be seen as it was before', () => {
    expect(upTo(search, 1).candidates.map(({ id }) => id)).toEqual([0, 1]);
    expect(bestSoFar(upTo(search, 1))).toEqual([4]);
  });

  it('says which parent each gene is from', () => {
    const child = search.candidates[2];
    if (child === undefined) throw new Error('no child');
    expect(inheritance(search, child).map(({ from, mutated, value }) => [from, mutated, value])).toEqual([
      [2, false, 'i j'],
      [null, true, '2'],
    ]);
  });

  it('puts what is faster below, failures on their own line, and counts what was refused', () => {
    const picture = scatter(search, 640, 300);
    expect(picture.points.map(({ one }) => one.id)).toEqual([0, 2]);
    expect((picture.points[0]?.y ?? 0) < (picture.points[1]?.y ?? 0)).toBe(true);
    expect((picture.points[0]?.x ?? 0) < (picture.points[1]?.x ?? 0)).toBe(true);
    expect(picture.failed.map(({ one }) => one.id)).toEqual([1]);
    expect(picture.columns.map(({ refused }) => refused)).toEqual([3, 0]);
  });
});
