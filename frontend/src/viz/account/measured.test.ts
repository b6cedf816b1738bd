import { expect, test } from 'vitest';
import type { RunResult } from '../../api/types';
import { runFacts, waitsFor } from './measured';

const result = (bandwidth: number | null, verdict: string, diagnosis: unknown = null): RunResult =>
  ({
    diagnosis,
    entries: [
      { id: 'heddle', gigabytes_per_second: 0.36, bandwidth_share: bandwidth, ratio_to_heddle: null },
      {
        id: 'unscheduled',
        ratio_to_heddle: { verdict, statement: 'With its schedule the kernel takes 15 times as long' },
      },
    ],
  }) as unknown as RunResult;

test('a loss that the run measured is said, and nothing where it cannot tell', () => {
  const slow = runFacts(result(0.013, 'slower', { text: 'The threads wait.', fix: null }));
  expect([slow.slower, slow.statement]).toEqual([true, 'With its schedule the kernel takes 15 times as long']);
  expect(slow.diagnosis?.text).toBe('The threads wait.');
  expect(runFacts(result(0.5, 'inconclusive'))).toMatchObject({ slower: false, statement: null, diagnosis: null });
});

test('a plan is not said to wait for memory where its run was far from it, or beyond it', () => {
  const facts = (share: number | null) => runFacts(result(share, 'faster'));
  expect(waitsFor('memory', null)).toBe('memory');
  expect(waitsFor('memory', facts(null))).toBe('memory');
  expect(waitsFor('memory', facts(0.013))).toBe('far below');
  expect(waitsFor('memory', facts(0.6))).toBe('memory');
  expect(waitsFor('memory', facts(1.83))).toBe('cache');
  expect(waitsFor('compute', facts(0.013))).toBe('compute');
});
