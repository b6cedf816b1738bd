import { describe, expect, it } from 'vitest';
import { edgesOf, hybOf, isComposed, withEdgeAt, withNumberAt } from './format-text';

describe('the numbers of hyb', () => {
  it('are found at their places and written back there', () => {
    const text = ' hyb( 2 , 13,64)';
    const hyb = hybOf(text);
    expect(hyb).toMatchObject({ ranges: { value: 2 }, buckets: { value: 13 }, rows: { value: 64 }, whole: false });
    if (hyb?.rows === undefined || hyb.rows === null) throw new Error('not read');
    expect(withNumberAt(text, hyb.ranges, 8)).toBe(' hyb( 8 , 13,64)');
    expect(withNumberAt(text, hyb.buckets, 3)).toBe(' hyb( 2 , 3,64)');
    expect(withNumberAt(text, hyb.rows, 8)).toBe(' hyb( 2 , 13,8)');
  });

  it('stay in their limits, and whole rows are not cut by columns', () => {
    const hyb = hybOf('hyb(1,3,whole)');
    if (hyb === null) throw new Error('not read');
    expect(withNumberAt('hyb(1,3,whole)', hyb.buckets, 99)).toBe('hyb(1,12,whole)');
    expect(withNumberAt('hyb(1,3,whole)', hyb.ranges, 4)).toBe('hyb(1,3,whole)');
  });

  it('are found before `whole`, too', () => {
    expect(hybOf('hyb(1,3,8,whole)')).toMatchObject({ rows: { value: 8 }, whole: true });
    expect(hybOf('hyb(1,3)')).toMatchObject({ rows: null, whole: false });
  });

  it('are no numbers of anything else', () => {
    for (const text of ['csr', 'hyb', 'hyb(1)', 'hyb(1,2) + csr', 'hyb(a,2)']) expect(hybOf(text)).toBeNull();
  });
});

describe('the edges of buckets', () => {
  it('are the powers of two, of which the last one moves', () => {
    const edges = edgesOf('hyb(2,2)');
    expect(edges.map(({ at, number }) => [at, number !== null])).toEqual([
      [1, false],
      [2, false],
      [4, true],
    ]);
    const last = edges[2];
    if (last === undefined) throw new Error('no edge');
    expect(withEdgeAt('hyb(2,2)', last, 16)).toBe('hyb(2,4)');
  });

  it('are the lengths that tests speak of', () => {
    const text = 'pieces(4) where length in 2..4 + ell(1) where length < 2 + csr';
    const [first, second] = edgesOf(text);
    if (first === undefined || second === undefined) throw new Error('no edges');
    expect([first.at, second.at]).toEqual([1, 4]);
    expect(withEdgeAt(text, first, 3)).toBe('pieces(4) where length in 2..4 + ell(1) where length < 4 + csr');
    expect(withEdgeAt(text, second, 8)).toBe('pieces(4) where length in 2..8 + ell(1) where length < 2 + csr');
    expect(edgesOf('bcsr(4,4) where tile(4,4) >= 8 + csr')).toEqual([]);
  });
});

it('tells sums of parts from formats', () => {
  expect(['hyb(1,2)', 'hyb', 'ell(4) where slot < 4', 'csr + coo'].map(isComposed)).toEqual([true, true, true, true]);
  expect(['csr', 'dense, compressed : 1,0', 'bcsr(4,4)', ''].map(isComposed)).toEqual([false, false, false, false]);
});
