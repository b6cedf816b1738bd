import { describe, expect, it } from 'vitest';
import type { MeasuredRun } from './measurement-files';
import { measurementBibtex, measurementCsv, measurementJson } from './measurement-files';

const machine = {
  cpu: 'AMD EPYC',
  cores: 2,
  memory_bytes: 2 ** 34,
  os: 'Linux 6_18',
  compiler: 'gcc 12.2.0',
  compiler_flags: '-O3 -march=native',
  python: '3.11.2',
  numpy: '2.4',
  scipy: '1.17',
  mkl: null,
};
const RUN = {
  id: 'r1',
  measured_by: null,
  created: '2026-11-29T02:00:00Z',
  plan_hash: 'abc123',
  plan: { version: 1, expression: 'y(i) = A(i,j_0) * x(j_0)' },
  result: {
    date: '2026-11-29T02:01:00Z',
    machine,
    inputs: [{ tensor: 'A', source: 'file a,b.mtx', shape: [2, 2], nnz: 1, sha256: 'feed'.repeat(16) }],
    entries: [
      { id: 'heddle', threads: 2, samples_ns: [10.5, 11], flagged: [1] },
      { id: 'scipy, "csr"', threads: 1, samples_ns: [20], flagged: [] },
    ],
  },
} as unknown as MeasuredRun;
const ADDRESS = 'https://example.org/heddle/#plan=z1.{x}';

describe('what a reader takes home of a run', () => {
  it('has every round with its unit, below what it is about', () => {
    const lines = measurementCsv(RUN, ADDRESS).split('\r\n');
    expect(lines).toContain('# compiler flags: -O3 -march=native');
    expect(lines).toContain(`# input A: file a,b.mtx, sha256 ${'feed'.repeat(16)}`);
    expect(lines.filter((line) => !line.startsWith('#'))).toEqual([
      'contender,threads,round,nanoseconds,disturbed',
      'heddle,2,0,10.5,0',
      'heddle,2,1,11,1',
      '"scipy, ""csr""",1,0,20,0',
      '',
    ]);
  });

  it('is the whole run in JSON', () => {
    const { address, run, plan_hash, result } = JSON.parse(measurementJson(RUN, ADDRESS)) as Record<string, unknown>;
    expect({ address, run, plan_hash, result }).toEqual({
      address: ADDRESS,
      run: 'r1',
      plan_hash: 'abc123',
      result: RUN.result,
    });
  });

  it('is cited with year, address, run and machine', () => {
    const text = measurementBibtex(RUN, ADDRESS);
    expect(text).toContain('@misc{heddle-run-r1,');
    expect(text).toContain('year   = {2026}');
    expect(text).toContain('url    = {https://example.org/heddle/#plan=z1.%7Bx%7D}');
    expect(text).toContain('\\texttt{y(i) = A(i,j\\_0) * x(j\\_0)}');
    expect(text).toContain('Linux 6\\_18');
    // Braces that do not pair end the entry for BibTeX.
    expect(text.replaceAll(/\\[{}]/g, '').replaceAll(/[^{}]/g, '')).toMatch(/^(?:[{}])+$/);
    expect(text.replaceAll(/\\[{}]/g, '').split('{').length).toBe(text.replaceAll(/\\[{}]/g, '').split('}').length);
  });
});
