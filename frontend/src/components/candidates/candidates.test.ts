import { describe, expect, it } from 'vitest';
import type { CandidateView, DiagnosticView, LegalView } from '../../api/types';
import { groupsAbout, insertion, legalDraft, reasonOf, variablesOf } from './candidates';

const because = (message: string): DiagnosticView => ({
  code: 'schedule/x',
  severity: 'error',
  message,
  location: null,
  expected: null,
  found: null,
  candidates: [],
  hint: null,
  evidence: [],
  fixes: [],
});

const candidate = (text: string, variables: string[], parts: Partial<CandidateView> = {}): CandidateView => ({
  text,
  variables,
  why_not: null,
  instead: null,
  ...parts,
});

const REFUSED = candidate('parallelize(j, CPUThread, NoRaces)', ['j'], {
  why_not: because('`parallelize(j, CPUThread, NoRaces)`: two iterations of j add into the same y(i).'),
  instead: 'parallelize(j, CPUThread, Atomics)',
});

const VIEW: LegalView = {
  hash: '0',
  ok: true,
  diagnostics: [],
  applied: 1,
  goals: [],
  commands: [
    {
      name: 'split',
      candidates: [candidate('split(i, i0, i1, 4)', ['i']), candidate('split(j, j0, j1, 4)', ['j'])],
      left_out: 0,
    },
    {
      name: 'coord',
      candidates: [candidate('coord(i, icrd)', ['i'], { why_not: because('no positions') })],
      left_out: 0,
    },
    { name: 'parallelize', candidates: [candidate('parallelize(i, CPUThread, NoRaces)', ['i']), REFUSED], left_out: 0 },
  ],
};

describe('what may come next', () => {
  it('groups legal and refused candidates, about one loop or all', () => {
    expect(variablesOf(VIEW.commands, ['j', 'i'])).toEqual(['j', 'i']);
    const counts = (variable: string | null) =>
      groupsAbout(VIEW.commands, variable).map(({ name, legal, refused }) => [name, legal.length, refused.length]);
    expect(counts(null)).toEqual([
      ['split', 2, 0],
      ['coord', 0, 1],
      ['parallelize', 1, 1],
    ]);
    expect(counts('j')).toEqual([
      ['split', 1, 0],
      ['parallelize', 0, 1],
    ]);
  });

  it('says the reason without repeating the command', () => {
    expect(reasonOf(REFUSED)).toBe('two iterations of j add into the same y(i).');
    expect(reasonOf(candidate('coord(i, icrd)', [], { why_not: because('no positions') }))).toBe('no positions');
  });

  it('inserts in front of the row that does not apply, else at the end', () => {
    const text = 'split(i, i0, i1, 4)\n# a note\nsplit(q, q0, q1, 4)';
    expect(insertion(text, VIEW, 'unroll(j, 2)')).toEqual({ kind: 'insert', before: 2, command: 'unroll(j, 2)' });
    expect(insertion(text, { ...VIEW, applied: 2 }, 'unroll(j, 2)')).toMatchObject({ before: null });
  });

  it('drafts a row that applies', () => {
    expect(legalDraft('split', 'split(j,j0,j1,4)', VIEW)).toBe('split(j, j0, j1, 4)');
    expect(legalDraft('split', 'split(i, i0, i1, 32)', VIEW)).toBe('split(i, i0, i1, 4)');
    expect(legalDraft('parallelize', REFUSED.text, VIEW)).toBe('parallelize(j, CPUThread, Atomics)');
    // Nothing of the kind is legal: the row goes in and says why.
    expect(legalDraft('coord', 'coord(i, icrd)', VIEW)).toBe('coord(i, icrd)');
    expect(legalDraft('fuse', 'fuse(i, j, f)', VIEW)).toBe('fuse(i, j, f)');
  });
});
