import { describe, expect, it } from 'vitest';
import { check } from '../../components/NumberField';
import type { GeneratorView, RunStateName, RunView } from '../../api/types';
import { describeMachine } from './machines/describe-machine';
import { choiceOf, generatorInput } from './inputs/input-choice';
import { inLines, themed } from '../../components/plot/plot-theme';
import {
  formatBytes,
  formatCount,
  formatInterval,
  formatNanoseconds,
  formatShare,
  threeDigits,
} from '../../text/quantities';
import type { RunState } from '../../state/store';
import { adviceOf, announcementOf, describeProgress, describeTimeLeft, wordsOf } from './run-states';

describe('quantities', () => {
  it('have a unit and three digits', () => {
    expect([12, 1234, 56_789, 12_345_678, 2.5e9].map(formatNanoseconds)).toEqual([
      '12.0 ns',
      '1.23 µs',
      '56.8 µs',
      '12.3 ms',
      '2.50 s',
    ]);
    expect(formatInterval(950, 1050)).toBe('0.95 – 1.05 µs');
    expect(threeDigits(0.0123)).toBe('0.012');
    expect(formatShare(0.034)).toBe('3.4 %');
    expect(formatShare(0.87)).toBe('87 %');
    expect(formatCount(1234567)).toBe('1\u202f234\u202f567');
    expect(formatBytes(1_500_000)).toBe('1.50 MB');
  });
});

describe('the machine', () => {
  it('is one line, without what is not known', () => {
    const machine = {
      cpu: 'Xeon',
      cores: 2,
      memory_bytes: 24 * 2 ** 30,
      os: 'Linux 6.1',
      compiler: null,
      python: '3.11',
      numpy: '2.4',
      scipy: '1.17',
      mkl: {
        version: 'Intel(R) oneAPI Math Kernel Library Version 2026.2-Product Build 1',
        threading: '',
        dispatch: '',
      },
      stream_triad_gbps: {},
      load: null,
    };
    expect(describeMachine(machine)).toBe(
      '2 cores, Xeon, 24 GB, Linux 6.1, Python 3.11, NumPy 2.4, SciPy 1.17, MKL 2026.2',
    );
    expect(describeMachine({ ...machine, machine_class: 'x86-64-v4', march: 'native' })).toContain(
      '2 cores, Xeon (x86-64-v4), 24 GB',
    );
    expect(describeMachine({ ...machine, machine_class: 'x86-64-v3', march: 'x86-64-v3' })).toContain(
      '2 cores, Xeon held to x86-64-v3, 24 GB',
    );
    const gpu = 'NVIDIA H100, driver for CUDA 12.4, CuPy 14.2.0 for CUDA 12.9';
    expect(describeMachine({ ...machine, gpu })).toContain(`MKL 2026.2, ${gpu}`);
  });
});

describe('numbers that are typed', () => {
  it.each([
    ['', false, 'A number is needed.'],
    ['', true, null],
    ['abc', false, '“abc” is not a number.'],
    ['1.5', false, 'A whole number is needed.'],
    ['0', false, 'At least 1.'],
    ['11', false, 'At most 10.'],
    [' 7 ', false, null],
  ])('%s (optional: %s) gets %s', (text, optional, complaint) => {
    expect(check(text, 1, 10, true, optional)).toBe(complaint);
  });
});

describe('the state of a run', () => {
  const view = (part: Partial<RunView>): RunView =>
    ({ queue_position: null, progress: null, lack: null, ...part }) as RunView;

  it('says how many are ahead', () => {
    expect(describeProgress(view({ state: 'queued', queue_position: 0 }))).toBe('Next in the queue');
    expect(describeProgress(view({ state: 'queued', queue_position: 1 }))).toBe('1 run ahead in the queue');
    expect(describeProgress(view({ state: 'queued', queue_position: 7 }))).toBe('7 runs ahead in the queue');
    const waiting = view({ state: 'queued', queue_position: 2, expected_wait_seconds: 12.3 });
    expect(describeProgress(waiting)).toBe('2 runs ahead in the queue, about 13 s');
  });

  it('says how long it still takes, once that is known', () => {
    const progress = (seconds_left: number | null) => ({ phase: 'measure', fraction: 0.5, message: '', seconds_left });
    expect(describeTimeLeft(view({ state: 'running', progress: progress(3.2) }))).toBe('about 4 s left');
    expect(describeTimeLeft(view({ state: 'running', progress: progress(100) }))).toBe('about 2 min left');
    expect(describeTimeLeft(view({ state: 'running', progress: progress(null) }))).toBe('');
    expect(describeTimeLeft(view({ state: 'queued', progress: null }))).toBe('');
  });

  it('says what it waits for where no worker can do it', () => {
    const lack = { resource: 'gpu', since: '2026-11-21T22:10:00.000Z', until: '2026-11-21T22:20:00.000Z' };
    expect(describeProgress(view({ state: 'queued', queue_position: 0, lack }))).toBe(
      'for a worker with gpu: none has been connected since 2026-11-21 22:10 UTC. ' +
        'Given up at 2026-11-21 22:20 UTC unless one joins',
    );
  });

  it('advises nothing where the problem itself says what to do', () => {
    const problem = { type: 'x', title: 'No worker came', status: 422, detail: 'Start one.', instance: null };
    expect(adviceOf({ state: 'refused', problem })).toBe('');
    expect(adviceOf({ state: 'lost', problem })).toBe(wordsOf('lost').advice);
    expect(adviceOf({ state: 'refused', problem: null })).toBe(wordsOf('refused').advice);
  });

  it('is announced at its start, its half and its end, with the times', () => {
    const of = (part: Partial<RunView> | null, phase: RunState['phase'] = 'watching') =>
      announcementOf({ phase, view: part === null ? null : view(part), plan: null, problem: null, stored: false });
    const progress = (fraction: number) => ({ phase: 'measure', fraction, message: 'Timing in rounds' });
    const entries = [
      { label: 'Heddle', median_ns: 500_000 },
      { label: 'SciPy', median_ns: 42_700 },
      { label: 'MKL', median_ns: null },
    ];
    const date = '2026-03-01T12:00:00Z';
    const result = {
      conclusion: { headline: 'SciPy is 11.7 × faster.' },
      entries,
      date,
    } as unknown as RunView['result'];
    expect([
      of(null, 'submitting'),
      of({ state: 'queued', progress: null }),
      of({ state: 'running', progress: progress(0.1) }),
      of({ state: 'running', progress: progress(0.4) }),
      of({ state: 'running', progress: progress(0.5) }),
      of({ state: 'running', progress: progress(0.9) }),
      of({ state: 'done', result }, 'ended'),
      of({ state: 'done', result, measured_by: 'another', created: '2026-03-01T12:38:10Z' }, 'ended'),
      of({ state: 'cancelled' }, 'ended'),
    ]).toEqual([
      'The run has started.',
      'The run has started.',
      'The run has started.',
      'The run has started.',
      'Half of the run is done.',
      'Half of the run is done.',
      'The run is done. SciPy is 11.7 × faster. Heddle 500 µs, SciPy 42.7 µs.',
      'The run is done. It was measured 38 min ago on this machine. SciPy is 11.7 × faster. Heddle 500 µs, SciPy 42.7 µs.',
      'Cancelled. Nothing was measured. Press Run to start again.',
    ]);
  });

  it('says what it does', () => {
    const progress = { phase: 'timing', fraction: 0.5, message: 'round 3 of 30' };
    expect(describeProgress(view({ state: 'running', progress }))).toBe('timing: round 3 of 30');
    expect(describeProgress(view({ state: 'leased' }))).toBe('Starting');
  });

  it.each<RunStateName>(['failed', 'refused', 'cancelled', 'timeout', 'oom', 'crashed', 'lost'])(
    'has a title and an advice for %s',
    (state) => {
      expect(wordsOf(state).tone).toBe('bad');
      expect(wordsOf(state).advice.length).toBeGreaterThan(20);
    },
  );
});

describe('inputs', () => {
  const rmat: GeneratorView = {
    name: 'rmat',
    title: 'R-MAT',
    summary: '',
    order: 2,
    parameters: [
      { name: 'nnz', title: 'nonzeros', kind: 'integer', default: 100, minimum: 0, maximum: 1000 },
      { name: 'seed', title: 'seed', kind: 'integer', default: 1, minimum: 0, maximum: 1000 },
    ],
  };

  it('are one choice each', () => {
    expect(choiceOf(undefined)).toBe('filled');
    expect(choiceOf({ dataset: 'karate' })).toBe('dataset karate');
    expect(choiceOf({ upload: 'sha256:00' })).toBe('dataset sha256:00');
    expect(choiceOf({ generator: 'rmat' })).toBe('generator rmat');
  });

  it('keep shape and seed from one generator to the next', () => {
    expect(generatorInput(rmat, 2, { generator: 'uniform', shape: [3, 4], seed: 9, density: 0.5 })).toEqual({
      generator: 'rmat',
      shape: [3, 4],
      seed: 9,
      nnz: 100,
    });
    expect(generatorInput(rmat, 2, undefined)).toMatchObject({ shape: [4096, 4096], seed: 1 });
    expect(generatorInput(rmat, 2, undefined, [null, 50])).toMatchObject({ shape: [4096, 50] });
  });
});

describe('a figure', () => {
  it('takes the ink of the page and keeps its own axes and data', () => {
    const figure = { data: [{ type: 'bar' }], layout: { width: 700, xaxis2: { title: 'time' }, font: { size: 20 } } };
    const { data, layout } = themed(figure, { ink: 'black', line: 'grey' }, 'sans');
    expect(data).toBe(figure.data);
    expect(layout).toMatchObject({
      font: { color: 'black', family: 'sans' },
      xaxis2: { title: 'time', gridcolor: 'grey' },
    });
    expect(layout).not.toHaveProperty('width');
  });

  it('writes the numbers of a logarithmic axis in full, unless the figure says how', () => {
    const xaxis = { type: 'log' };
    const yaxis = { type: 'log', tickvals: [1, 2], ticktext: ['one', 'two'] };
    const { layout } = themed({ data: [], layout: { xaxis, yaxis, xaxis2: {} } }, { ink: '', line: '' }, 'sans');
    expect(layout.xaxis).toHaveProperty('tickformat', '~g');
    expect(layout.yaxis).not.toHaveProperty('tickformat');
    expect(layout.xaxis2).not.toHaveProperty('tickformat');
  });

  it('breaks its title where it is narrow, and leaves room for its lines and for those of the legend', () => {
    const title = { text: 'Time against the skew of the rows, on this machine', font: { size: 14 } };
    const data = ['rows in parallel', 'nonzeros in parallel', 'SciPy'].map((name) => ({ name }));
    const figure = { data, layout: { title, showlegend: true } };
    const [wide, narrow] = [900, 280].map((width) => themed(figure, { ink: '', line: '' }, 'sans', width).layout);
    expect(wide).toMatchObject({ title: { text: title.text }, margin: { t: 76 } });
    const lines = inLines(title.text, 280 - 24);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join(' ')).toBe(title.text);
    expect(narrow).toMatchObject({ title: { text: lines.join('<br>') } });
    // A line for each name, since two of them do not fit beside each other.
    expect((narrow?.margin as { t: number }).t).toBeGreaterThanOrEqual(18 * lines.length + 20 * data.length);
  });
});
