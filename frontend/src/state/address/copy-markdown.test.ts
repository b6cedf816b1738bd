import { expect, it } from 'vitest';
import type { RunResult } from '../../api/types';
import { markdownOf } from './copy-markdown';

const PLAN = { version: 1, expression: 'y(i) = A(i,j) * x(j)', tensors: { A: { format: 'csr' } } };

it('writes the plan, its code and the way back', () => {
  const text = markdownOf(
    { ...PLAN, schedule: ['split(i, i0, i1, 32)'] },
    { language: 'c', text: 'int x;\n' },
    'https://h/#z1.x',
  );
  expect(text).toContain('**[y(i) = A(i,j) * x(j)](https://h/#z1.x)**');
  expect(text).toContain('Formats: `A` csr.');
  expect(text).toContain('```text\nsplit(i, i0, i1, 32)\n```');
  expect(text).toContain('```c\nint x;\n```');
});

it('leaves out what is not there, and never lets a text end its own fence', () => {
  expect(markdownOf(PLAN, null, 'u')).toContain('No schedule');
  expect(markdownOf(PLAN, { language: 'c', text: '// ```' }, 'u')).toContain('````c\n// ```\n````');
});

it('has the times of the plan with what they were taken on', () => {
  const entry = { reason: null, median_ns: 25_600, low_ns: 25_000, high_ns: 26_100, ratio_to_heddle: null };
  const result = {
    entries: [
      { ...entry, label: 'Heddle' },
      { ...entry, label: 'SciPy', median_ns: 44_000, ratio_to_heddle: { value: 1.72 } },
      { ...entry, label: 'MKL', median_ns: null, low_ns: null, high_ns: null, reason: 'MKL is not installed.' },
    ],
    conclusion: { noisy: false, headline: 'SciPy takes 1.72 times as long as Heddle.', reasons: [] },
    machine: { cpu: 'AMD EPYC', cores: 2, compiler: 'gcc 12.2.0' },
    threads: 2,
    date: '2026-11-29T02:01:00Z',
  } as unknown as RunResult;
  const text = markdownOf(PLAN, null, 'u', result);
  expect(text).toContain(
    [
      '| | median | 95 % interval | time / Heddle |',
      '|---|---|---|---|',
      '| Heddle | 25.6 µs | 25.0 – 26.1 µs |  |',
      '| SciPy | 44.0 µs | 25.0 – 26.1 µs | 1.72 × |',
      '| MKL | – | MKL is not installed. | |',
      '',
      'SciPy takes 1.72 times as long as Heddle.',
    ].join('\n'),
  );
  expect(text).toContain('Measured 2026-11-29T02:01:00Z with 2 threads on AMD EPYC, 2 cores, gcc 12.2.0.');
});
