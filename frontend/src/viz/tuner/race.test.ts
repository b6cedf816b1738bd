import { describe, expect, it } from 'vitest';
import { bestByEvaluation, raceLines, standing, weights } from './race';
import { readSearch } from './search-log';
import type { Search } from './search-log';

const search = (strategy: string, times: readonly (number | null)[]): Search => {
  const timed = times.map((seconds, id) => ({
    event: 'timed', id, generation: 0, origin: 'random', parents: [], sources: [], mutated: [], genes: [id % 2, 0],
    schedule: [], formats: {}, plan: `plan ${id}`, seconds, reason: '',
  })); // prettier-ignore
  const genes = [
    { name: 'fusion', values: ['none', 'inline'], meaning: 'statements' },
    { name: 'unroll', values: [1, 2], meaning: 'unrolled' },
  ];
  const found = readSearch([{ event: 'header', plan: {}, strategy, seed: 7, points: 4, genes }, ...timed]);
  if (found === null) throw new Error('no search');
  return found;
};

describe('two searches beside each other', () => {
  const genetic = search('genetic', [null, 4e-6, 1e-6, 2e-6]);

  it('has the fastest so far', () => expect(bestByEvaluation(genetic)).toEqual([null, 4e-6, 1e-6, 1e-6]));

  it('says how far both are at equal numbers, and leaves it to a comparison in turns who is faster', () => {
    expect(standing(genetic, search('random', [3e-6, 2e-6, 2e-6]))).toBe(
      'After 3 schedules each, the fastest of genetic took 1.00 µs and that of random 2.00 µs, in searches that did not take turns.',
    );
    expect(standing(genetic, search('random', [3e-6, 2e-6]))).toContain('genetic took 4.00 µs and that of random 2.00');
    expect(standing(genetic, search('random', []))).toBe('Nothing to compare yet.');
  });

  it('draws lines that fall', () => {
    const [first, second] = raceLines([genetic, search('random', [2e-6, 2e-6])], 300, 100);
    const heights = (first?.points ?? '').split(' ').map((point) => Number(point.split(',')[1]));
    expect(heights[0]).toBeLessThan(heights[1] ?? 0);
    expect(second?.points.split(' ')).toHaveLength(2);
    expect(raceLines([search('random', [null])], 300, 100)).toEqual([]);
  });

  it('knows which gene the times depend on', () => {
    expect(weights(search('random', [1, 2, 1, 2]))).toEqual([
      { name: 'fusion', share: 1 },
      { name: 'unroll', share: 0 },
    ]);
  });
});
