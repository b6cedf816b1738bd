import { describe, expect, it } from 'vitest';
import { costs, front, paretoPicture } from './pareto';
import { readSearch } from './search-log';

const candidate = (id: number, seconds: number | null, bytes: number | null | undefined, plan = `plan ${id}`) => ({
  event: 'candidate', id, generation: 0, origin: 'random', parents: [], sources: [], mutated: [], genes: [],
  schedule: [], formats: {}, plan, seconds, reason: '', ...(bytes === undefined ? {} : { bytes }),
}); // prettier-ignore

function searchOf(...lines: readonly Readonly<Record<string, unknown>>[]) {
  const header = { event: 'header', plan: {}, strategy: 'random', seed: 7, points: 4, genes: [] };
  const search = readSearch([header, ...lines]);
  if (search === null) throw new Error('no search');
  return search;
}

const ids = (all: ReturnType<typeof costs>): readonly number[] => all.map(({ one }) => one.id);

describe('time and memory', () => {
  const search = searchOf(
    candidate(0, 4, 100),
    candidate(1, 1, 400),
    candidate(2, 2, 200),
    candidate(3, 3, 200), // slower than 2 in the same memory
    candidate(4, 2, 200), // as good as 2
    candidate(5, null, 8),
    candidate(6, 9, null),
    candidate(7, 9, undefined),
    candidate(8, 1, 400, 'plan 1'),
  );

  it('takes each schedule once, of which both are known', () => expect(ids(costs(search))).toEqual([0, 1, 2, 3, 4]));

  it('keeps what nothing beats in both, the fastest first', () => expect(ids(front(costs(search)))).toEqual([1, 2, 0]));

  it('is what comparing every pair keeps', () => {
    const all = costs(searchOf(...Array.from({ length: 60 }, (_, n) => candidate(n, 1 + ((n * 37) % 61), 1 + ((n * 23) % 59))))); // prettier-ignore
    const beaten = (at: number): boolean =>
      all.some((other, place) => {
        const one = all[at];
        return one !== undefined && place !== at && other.seconds <= one.seconds && other.bytes <= one.bytes;
      });
    const pairs = ids(all.filter((_, at) => !beaten(at)));
    expect([...ids(front(all))].sort((left, right) => left - right)).toEqual(pairs);
  });

  it('puts less memory on the left and less time below', () => {
    const { points, times, sizes, stairs } = paretoPicture(costs(search), 400, 200);
    const place = (id: number) => points.find(({ cost }) => cost.one.id === id) ?? { x: NaN, y: NaN };
    expect(place(0).x).toBeLessThan(place(1).x);
    expect(place(0).y).toBeLessThan(place(1).y);
    expect(points.filter(({ best }) => best)).toHaveLength(3);
    expect(times.map(({ seconds }) => seconds)).toEqual([1, 4]);
    expect(sizes.map(({ bytes }) => bytes)).toEqual([100, 400]);
    expect(stairs.split(' ')).toHaveLength(5);
  });

  it('has a picture where all take the same', () => {
    const { points, sizes } = paretoPicture(costs(searchOf(candidate(0, 4, 8), candidate(1, 5, 8))), 400, 200);
    expect(points.map(({ best }) => best)).toEqual([true, false]);
    expect(sizes).toHaveLength(1);
  });
});
