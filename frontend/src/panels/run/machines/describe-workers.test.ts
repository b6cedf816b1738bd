import { describe, expect, it } from 'vitest';
import type { WorkerView } from '../../../api/types';
import {
  describeFailedProbes,
  describeState,
  describeStream,
  describeTargets,
  describeLoadedWaking,
  describeWaking,
  describeWorkers,
} from './describe-workers';

const worker = (part: Partial<WorkerView>, stream: Record<string, number> = {}): WorkerView =>
  ({ busy: false, obstacle: null, targets: ['c'], facts: { stream_triad_gbps: stream }, ...part }) as WorkerView;

describe('the workers in one line', () => {
  const old = worker({ obstacle: 'It runs Heddle 0.0.1.' });
  it.each([
    [null, 'asking the service'],
    [[], 'no worker takes runs at present; a run waits for one'],
    [[old], 'no worker takes runs at present; a run waits for one'],
    [[worker({})], '1 worker, free'],
    [[worker({ busy: true }), old], '1 worker, timing a run'],
    [[worker({ busy: true }), worker({})], '2 workers, 1 free'],
    [[worker({ busy: true }), worker({ busy: true })], '2 workers, all timing runs'],
  ])('%j: %s', (workers, text) => {
    expect(describeWorkers(workers)).toBe(text);
  });
});

describe('one worker', () => {
  it('says what it does, and why it gets no runs', () => {
    expect(describeState(worker({}))).toBe('Free');
    expect(describeState(worker({ busy: true }))).toBe('Timing a run');
    expect(describeState(worker({ obstacle: 'It has been silent for 12 s.' }))).toBe(
      'Receives no runs. It has been silent for 12 s.',
    );
  });

  it('names its targets as the menu does', () => {
    expect(describeTargets(worker({ targets: ['opencl', 'c', 'cuda'] }))).toBe(
      'CPU (C, OpenMP), GPU (CUDA), OpenCL (GPU or CPU)',
    );
    expect(describeTargets(worker({ targets: [] }))).toBe('No target');
  });

  it('names what it may have and does not offer, with what became of the probe', () => {
    expect(describeFailedProbes(worker({ failed_probes: {} }))).toEqual([]);
    const opencl = 'ended its process (SIGABRT): Not enough memory to run on this device.';
    expect(describeFailedProbes(worker({ failed_probes: { opencl, gpu: 'did not answer in time' } }))).toEqual([
      'Not offered: OpenCL, whose library ended its process (SIGABRT): Not enough memory to run on this device.',
      'Not offered: CUDA, whose library did not answer in time.',
    ]);
  });

  it('has a bandwidth once it was measured', () => {
    expect(describeStream(worker({}))).toContain('not measured yet');
    expect(describeStream(worker({}, { '1': 11.7, '2': 13.84, '12': 40 }))).toBe(
      'STREAM triad 40.0 GB/s with 12 threads',
    );
    expect(describeStream(worker({}, { '1': 11.7 }))).toBe('STREAM triad 11.7 GB/s with 1 thread');
  });

  it.each([
    [5, 'STREAM triad 12.0 GB/s (11.0 – 12.5 GB/s in 5 quiet moments) with 2 threads'],
    [1, 'STREAM triad 12.0 GB/s (1 quiet moment) with 2 threads'],
    [0, 'STREAM triad 12.0 GB/s (no quiet moment so far: at least that) with 2 threads'],
  ])('shows its spread over %i quiet moments', (times, text) => {
    const base = worker({}, { '2': 12 });
    const facts = { ...base.facts, stream_triad: { '2': { median: 12, low: 11, high: 12.5, times } } };
    expect(describeStream({ ...base, facts })).toBe(text);
  });

  it('says what waking its threads takes, once a moment was quiet', () => {
    const base = worker({});
    expect(describeWaking(base)).toBeNull();
    const spread = { median: 31_200, low: 29_000, high: 40_500, times: 9 };
    const facts = { ...base.facts, waking_ns: { '2': spread } };
    expect(describeWaking({ ...base, facts })).toBe(
      'waking 2 threads takes 31.2 µs (29.0 – 40.5 µs in 9 quiet moments)',
    );
  });

  it.each([
    [1_400, 0, 'on a busy machine 2 threads cost a short kernel 1.40 µs (0 – 90.0 µs in 9 moments)'],
    [260_000, 11_000, 'on a busy machine 2 threads cost a short kernel 260 µs (11.0 – 90.0 µs in 9 moments)'],
  ])('says what threads cost on a busy machine: %i ns', (median, low, text) => {
    const base = worker({});
    expect(describeLoadedWaking(base)).toBeNull();
    const facts = { ...base.facts, loaded_waking_ns: { '2': { median, low, high: 90_000, times: 9 } } };
    expect(describeLoadedWaking({ ...base, facts })).toBe(text);
  });
});
