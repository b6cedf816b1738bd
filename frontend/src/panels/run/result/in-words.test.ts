import { describe, expect, it } from 'vitest';
import type { EntryView, RunResult } from '../../../api/types';
import {
  ageInWords,
  controlsInWords,
  describeControl,
  describeJudgement,
  describeRejudgement,
  deviceInWords,
  flagsInWords,
  loadInWords,
  protocolInWords,
  roundsOf,
  streamInWords,
  timesInWords,
  wakingInWords,
} from './in-words';
import { describeInput } from './ResultView';

const entry = (part: Partial<EntryView>): EntryView =>
  ({ id: 'heddle', label: 'Heddle', median_ns: null, ...part }) as EntryView;
const control = { value: 1.0034, low: 0.998, high: 1.0091, resolution: 0.02, quiet: true };

describe('the times of a run', () => {
  const heddle = entry({ median_ns: 34_800 });
  const mkl = entry({ id: 'mkl', label: 'MKL', median_ns: 30_400 });
  const scipy = entry({ id: 'scipy', label: 'SciPy', median_ns: 533_000 });

  it('are those of Heddle and of what most people would compare with', () => {
    expect(timesInWords([heddle, mkl, scipy])).toBe('Heddle 34.8 µs, SciPy 533 µs');
    expect(timesInWords([heddle, mkl, { ...scipy, median_ns: null }])).toBe('Heddle 34.8 µs, MKL 30.4 µs');
    // Where all operands are dense NumPy takes SciPy's place.
    const numpy = { ...scipy, id: 'numpy', label: 'NumPy' } as typeof scipy;
    expect(timesInWords([heddle, mkl, numpy])).toBe('Heddle 34.8 µs, NumPy 533 µs');
    expect(timesInWords([heddle])).toBe('Heddle 34.8 µs');
    expect(timesInWords([])).toBe('');
  });
});

describe('what ran a kernel for a GPU', () => {
  it('is said in a few words', () => {
    const note = 'On Intel(R) OpenCL: AMD EPYC; without the time to copy operands there and the result back.';
    expect(deviceInWords([entry({ note })])).toBe('On Intel(R) OpenCL: AMD EPYC.');
    expect(deviceInWords([entry({ note: null }), entry({ id: 'mkl', note })])).toBe('');
  });
});

describe('an input', () => {
  const input = { tensor: 'A', source: 'upload sha256:a4fd3507…', shape: [3, 4], nnz: 5, sha256: 'a4fd3507' };

  it('has the name of its file, as long as the service has it', () => {
    const file = { id: 'sha256:a4fd35071122', name: 'mine.mtx' };
    expect(describeInput(input, [file])).toBe('A: file mine.mtx, 3 × 4 with 5 nonzeros');
    expect(describeInput(input, [{ ...file, id: 'sha256:b4fd3507' }])).toContain('upload sha256:a4fd3507…');
  });
});

describe('the age of a measurement', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  it.each([
    ['2026-03-01T11:59:30Z', 'less than a minute'],
    ['2026-03-01T12:03:00Z', 'less than a minute'],
    ['2026-03-01T11:22:00Z', '38 min'],
    ['2026-03-01T10:00:01Z', '119 min'],
    ['2026-03-01T09:30:00Z', '2 h'],
    ['2026-02-28T12:00:01Z', '23 h'],
    ['2026-02-20T12:00:00Z', '9 days'],
  ])('of %s is %s', (date, ago) => {
    expect(ageInWords(date, now)).toBe(`measured ${ago} ago on this machine`);
  });
});

describe('what a run says of its rounds', () => {
  const load = {
    involuntary: 812,
    pressure: 0.31,
    steal: 0,
    region_ns: { median: 541, low: 320, high: 900 },
    rounds: 40,
    flagged: 12,
  };

  it('is who did not have their cores, and in how many of them', () => {
    const flagged = Array.from({ length: 12 }, (_, round) => round);
    expect(flagsInWords(entry({ flagged }), 40)).toBe('Heddle did not have its cores in 12 of 40 rounds');
    expect(flagsInWords(entry({ flagged: [3] }), null)).toBe('Heddle did not have its cores in 1 round');
    expect(flagsInWords(entry({ flagged: [] }), 40)).toBe('');
    expect(flagsInWords(entry({}), 40)).toBe('');
    expect(roundsOf({ load, protocol: { rounds: 30 } })).toBe(40);
    expect(roundsOf({ protocol: { rounds: 30 } })).toBe(30);
    expect(roundsOf({ protocol: {} })).toBeNull();
  });

  it('is what the system said', () => {
    expect(loadInWords(load)).toBe(
      'An empty parallel region took 541 ns (320 – 900 ns). Meanwhile the system took threads of this run off their cores 812 times, had somebody wait for a core in 31 % of the time, lost its processors to other virtual machines in 0.0 % of the time.',
    );
    expect(loadInWords({ ...load, involuntary: null, pressure: null, steal: null, region_ns: null })).toBe('');
    expect(loadInWords(undefined)).toBe('');
  });

  it('is the A/A control of each contender', () => {
    expect(describeControl(control)).toBe(
      'the same kernel timed twice has the ratio 1.003 (0.998 – 1.009); differences below 2.0 % are inconclusive',
    );
    const timed = { median_ns: 1, control };
    expect(controlsInWords([entry(timed), entry({ ...timed, label: 'MKL' }), entry({ median_ns: 1 })])).toBe(
      'Each timed as two contenders has the ratio: Heddle 1.003 (0.998 – 1.009); MKL 1.003 (0.998 – 1.009).',
    );
    expect(controlsInWords([entry({ median_ns: 1 })])).toBe('');
  });
});

describe('the machine of a run', () => {
  const machine = {
    stream_triad_gbps: { '2': 27.1 },
    stream_triad: { '2': { median: 27.1, low: 26, high: 28.2, times: 5 } },
    waking_ns: { '2': { median: 541, low: 320, high: 900, times: 12 } },
  } as unknown as RunResult['machine'];

  it('has facts over quiet moments with their spread', () => {
    expect(wakingInWords({ machine, threads: 2 })).toBe(
      'waking 2 threads takes 541 ns (320 – 900 ns, 12 quiet moments)',
    );
    expect(streamInWords({ machine, threads: 2 })).toBe(
      'measured STREAM triad 27.1 GB/s (26.0 – 28.2, 5 quiet moments)',
    );
    expect(wakingInWords({ machine, threads: 1 })).toBe('');
  });

  it('may be of before, or unknown', () => {
    const before = { stream_triad_gbps: { '2': 27.1 } } as unknown as RunResult['machine'];
    expect(streamInWords({ machine: before, threads: 2 })).toBe('measured STREAM triad 27.1 GB/s');
    expect(streamInWords({ machine: before, threads: 1 })).toBe('');
    expect(wakingInWords({ machine: before, threads: 2 })).toBe('');
  });

  it('is named with the protocol and the rules that judged', () => {
    const result = { date: '2026-03-01T12:00:00Z', threads: 2, protocol: { rounds: 30 } };
    expect(protocolInWords(result as unknown as RunResult, true)).toBe(
      'Stored result of 2026-03-01 12:00 UTC with 2 threads, 30 rounds in random order; intervals are of the median, 95 %.',
    );
  });

  it('says by which rules it was judged', () => {
    const of = (part: Partial<RunResult>) => describeJudgement(part as RunResult);
    expect(of({ judged_by: '2' })).toBe('Judged by rules 2. ');
    expect(of({})).toBe('');
  });

  it('says beside a stored verdict what newer rules say', () => {
    const of = (part: Partial<RunResult>) => describeRejudgement(part as RunResult);
    const conclusion = { noisy: true, headline: 'Noisy: not conclusive.', reasons: [] };
    expect(of({ judged_by: '0', rejudgement: { judged_by: '2', conclusion, ratios: {} } })).toBe(
      'Judged by rules 0 when it was measured. Rules 2, of today, say: Noisy: not conclusive.',
    );
    expect(of({ judged_by: '2' })).toBe('');
  });
});
