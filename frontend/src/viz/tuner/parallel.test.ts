import { describe, expect, it } from 'vitest';
import { byValue, parallel, timedOnce } from './parallel';
import { readSearch } from './search-log';

const candidate = (id: number, genes: readonly number[], seconds: number | null) => ({
  event: 'candidate', id, generation: 0, origin: 'random', parents: [], sources: [], mutated: [], genes,
  schedule: [], formats: {}, plan: `plan ${id}`, seconds, reason: '',
}); // prettier-ignore
const GENES = [
  { name: 'order', values: ['i j', 'j i'], meaning: 'loops' },
  { name: 'fixed', values: ['one'], meaning: 'no choice' },
  { name: 'tile i', values: [0, 4, 8, 16, 32, 64, 128, 256], meaning: 'tiles' },
];
const search = readSearch([
  { event: 'header', plan: {}, strategy: 'random', seed: 7, points: 16, genes: GENES },
  candidate(0, [0, 0, 0], 8),
  candidate(1, [1, 0, 7], 2),
  candidate(2, [1, 0, 7], 2.5), // the same again, as an elite
  candidate(3, [1, 0, 0], 4),
  candidate(4, [0, 0, 3], null),
]);
if (search === null) throw new Error('no search');

describe('parallel coordinates', () => {
  it('have each choice once, the fastest first', () =>
    expect(timedOnce(search).map(({ one }) => one.id)).toEqual([1, 3, 0]));

  it('have an axis for each gene with a choice, below one another', () => {
    const { axes, height } = parallel(search, 400);
    expect(axes.map(({ gene, place }) => [gene.name, place])).toEqual([
      ['order', 0],
      ['tile i', 2],
    ]);
    expect(axes[0]?.y ?? Infinity).toBeLessThan(axes[1]?.y ?? 0);
    expect(height).toBeGreaterThan(axes[1]?.y ?? Infinity);
  });

  it('lead from the values of a schedule to its time', () => {
    const { lines, axes, times } = parallel(search, 400);
    expect(times).toMatchObject({ low: 2, high: 8 });
    const fastest = lines[0]?.points.split(' ').map((point) => Number(point.split(',')[0])) ?? [];
    const slowest =
      lines
        .at(-1)
        ?.points.split(' ')
        .map((point) => Number(point.split(',')[0])) ?? [];
    expect(fastest).toHaveLength(axes.length + 1);
    expect(fastest.map(Math.round)).toEqual([385, 385, 12]);
    expect(slowest.map(Math.round)).toEqual([15, 15, 388]);
    expect(lines.map(({ rank }) => rank)).toEqual([0, 0.5, 1]);
  });

  it.each([260, 390, 900])('draw texts of values that do not cover each other at %i px', (width) => {
    const { axes } = parallel(search, width);
    for (const { ticks } of axes) {
      const drawn = ticks.filter((tick) => tick.drawn);
      expect([drawn[0]?.anchor, drawn.at(-1)?.anchor]).toEqual(['start', 'end']);
      const spans = drawn.map(({ textX, text, anchor }) => {
        const size = 6 * text.length;
        const left = anchor === 'start' ? textX : anchor === 'end' ? textX - size : textX - size / 2;
        return [left, left + size] as const;
      });
      for (const [place, [left]] of spans.entries()) expect(left).toBeGreaterThan(spans[place - 1]?.[1] ?? -1);
      // Half of what lines through one value take, and of the thickest of them.
      const [first, last] = [drawn[0], drawn.at(-1)];
      expect((first?.textX ?? 0) - (first?.x ?? 0)).toBeGreaterThan(3 + 1.5);
      expect((last?.x ?? 0) - (last?.textX ?? 0)).toBeGreaterThan(3 + 1.5);
    }
  });

  it('say of a gene how many schedules each value had, and how fast they are', () => {
    expect(byValue(search, 0).map(({ text, tried, fastest, median }) => [text, tried, fastest, median])).toEqual([
      ['i j', 1, 8, 8],
      ['j i', 2, 2, 2],
    ]);
    expect(byValue(search, 2)[1]).toMatchObject({ tried: 0, fastest: null, median: null });
  });

  it('are empty before anything is timed', () => {
    const none = { ...search, candidates: [] };
    expect(parallel(none, 400)).toMatchObject({ lines: [], times: null });
  });
});
