import { describe, expect, it } from 'vitest';
import type { LegalView } from '../../api/types';
import { spmm } from '../fixtures/compiled';
import { precomputed } from '../fixtures/graphs';
import { layoutIteration } from './layout';
import { chainAround, dropPlaces, isLegalOrder, moved, placeAt, reorderCommand } from './reorder';

const nodes = spmm.graph?.nodes ?? [];
const chain = ['i0', 'i1', 'jpos0', 'k0', 'jpos1', 'k1'];

describe('moving a loop', () => {
  it('keeps to the loops that are directly nested', () => {
    expect(chainAround(nodes, 'k0')).toEqual(chain);
    const branched = precomputed.graph?.nodes ?? [];
    expect(chainAround(branched, 'i')).toEqual(['i']);
    expect(chainAround(branched, 'jw')).toEqual(['jw']);
  });

  it('writes a command that names only what changes places', () => {
    expect(reorderCommand(chain, moved(chain, 'k0', 2))).toBe('reorder(k0, jpos0)');
    expect(reorderCommand(chain, moved(chain, 'i0', 2))).toBe('reorder(i1, jpos0, i0)');
    expect(reorderCommand(chain, moved(chain, 'k0', 3))).toBeNull();
  });

  it('knows the legal orders from the answer of the service', () => {
    const one = (text: string, refused: boolean) => ({
      text,
      variables: [],
      why_not: refused
        ? {
            code: 'x',
            severity: 'error' as const,
            message: '',
            location: null,
            expected: null,
            found: null,
            candidates: [],
            hint: null,
            evidence: [],
            fixes: [],
          }
        : null,
      instead: null,
    });
    const view: LegalView = {
      hash: '',
      ok: true,
      diagnostics: [],
      applied: 0,
      goals: [],
      commands: [
        { name: 'reorder', candidates: [one('reorder(b, a, c)', false), one('reorder(c, a, b)', true)], left_out: 0 },
      ],
    };
    expect(isLegalOrder(view, ['b', 'a', 'c'])).toBe(true);
    expect(isLegalOrder(view, ['c', 'a', 'b'])).toBe(false);
    // Of those refused for one reason only the first is listed.
    expect(isLegalOrder(view, ['c', 'b', 'a'])).toBe(false);
    expect(isLegalOrder(null, ['b', 'a', 'c'])).toBeNull();
  });

  it('offers every other place, and finds the one under the pointer', () => {
    if (!spmm.graph) throw new Error('the fixture has no graph');
    const { loops } = layoutIteration({ graph: spmm.graph, variables: spmm.variables, relations: [] });
    const placed = chain.flatMap((name) => loops.filter(({ variable }) => variable === name));
    const places = dropPlaces(placed, 'jpos0');
    expect(places.map(({ place }) => place)).toEqual([0, 1, 3, 4, 5]);
    const ys = places.map(({ y }) => y);
    expect(ys).toEqual([...ys].sort((low, high) => low - high));
    expect(places.map(({ y }) => placeAt(placed, 'jpos0', y))).toEqual([0, 1, 3, 4, 5]);
    expect(placeAt(placed, 'jpos0', placed[2]?.y ?? 0)).toBe(2);
  });
});
