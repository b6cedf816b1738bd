import { describe, expect, it } from 'vitest';
import type { CandidateView } from '../../api/types';
import { causesOf } from './causes';

const refused = (text: string, code: string): CandidateView => ({
  text,
  variables: [],
  why_not: {
    code,
    severity: 'error',
    message: '',
    location: null,
    expected: null,
    found: null,
    candidates: [],
    hint: null,
    evidence: [],
    fixes: [],
  },
  instead: null,
});

describe('why commands cannot be applied', () => {
  it('puts the refusals of different commands under one cause, and keeps every one', () => {
    const groups = [
      { name: 'reorder', legal: [], refused: [refused('reorder(j, i)', 'schedule/storage-order')], leftOut: 0 },
      { name: 'split', legal: [], refused: [refused('split(j, a, b, 4)', 'schedule/strided')], leftOut: 0 },
      {
        name: 'parallelize',
        legal: [],
        refused: [
          refused('parallelize(j, CPUThread, NoRaces)', 'schedule/race'),
          refused('parallelize(j, CPUVector, Atomics)', 'schedule/vector-atomics'),
          refused('parallelize(q, CPUVector, Atomics)', 'schedule/something-new'),
        ],
        leftOut: 0,
      },
    ];
    expect(causesOf(groups).map(({ title, candidates }) => [title, candidates.length])).toEqual([
      ['Iterations would add into the same element', 2],
      ['The storage order forbids it', 2],
      ['Another rule of the command', 1],
    ]);
    expect(causesOf([])).toEqual([]);
  });
});
