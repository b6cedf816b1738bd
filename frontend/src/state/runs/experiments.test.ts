import { describe, expect, it } from 'vitest';
import type { ExperimentView, RunView } from '../../api/types';
import { createExperiments, pointKey, secondsLeft } from './experiments';

const experiment: ExperimentView = {
  id: 'skew',
  title: '',
  question: '',
  look_for: '',
  parameter: 'c',
  where: '',
  points: [1, 2, 3].map((value) => ({
    series: 's',
    value,
    label: `${value}`,
    plan: { expression: `y(i) = ${value}` },
    rows: [],
    lanes: [],
    model: '',
  })),
};

/** A service whose runs take one look to end; `fail` names the run that crashes. */
function service(fail = '') {
  const asked: string[] = [];
  const view = (id: string, state: RunView['state']): RunView => ({ id, state, problem: null }) as RunView;
  return {
    asked,
    createRun: (document: object, fresh: boolean) => {
      const plan = document as { expression: string };
      asked.push(fresh ? `${plan.expression} anew` : plan.expression);
      return Promise.resolve(view(plan.expression, 'queued'));
    },
    getMeasuredPoints: () => Promise.resolve([null, view('kept', 'done'), null]),
    getRun: (id: string) => Promise.resolve(view(id, id === fail ? 'crashed' : 'done')),
    cancelRun: (id: string) => Promise.resolve(view(id, 'cancelled')),
  };
}

describe('an experiment', () => {
  it('measures its points one after the other, and what is measured only once', async () => {
    const api = service();
    const control = createExperiments(api, () => Promise.resolve());
    await control.start(experiment);
    await control.start(experiment);
    expect(api.asked).toEqual(['y(i) = 1', 'y(i) = 2', 'y(i) = 3']);
    expect(control.get().runs[pointKey('skew', 2)]?.state).toBe('done');
    control.clear('skew');
    expect(control.get().runs).toEqual({});
  });

  it('stays the chosen one while it is measured', async () => {
    const control = createExperiments(service(), () => Promise.resolve());
    expect(control.get().chosen).toBe('');
    control.choose('skew');
    await control.start(experiment);
    expect(control.get().chosen).toBe('skew');
  });

  it('goes on from what the service has kept, and measures anew when asked to', async () => {
    const api = service();
    const control = createExperiments(api, () => Promise.resolve());
    await control.restore('skew');
    expect(control.get().runs[pointKey('skew', 1)]?.id).toBe('kept');
    await control.start(experiment);
    expect(api.asked).toEqual(['y(i) = 1', 'y(i) = 3']);
    control.clear('skew');
    await control.restore('skew');
    expect(control.get().runs).toEqual({});
    await control.start(experiment);
    expect(api.asked.slice(2)).toEqual(['y(i) = 1 anew', 'y(i) = 2 anew', 'y(i) = 3 anew']);
  });

  it('ends at the first run that fails and says so', async () => {
    const api = service('y(i) = 2');
    const control = createExperiments(api, () => Promise.resolve());
    await control.start(experiment);
    expect(api.asked).toHaveLength(2);
    expect(control.get()).toMatchObject({ measuring: null, problem: 'A run ended as crashed.' });
  });

  it('stops where it is told to and goes on from there', async () => {
    const api = service();
    let pauses = 0;
    const control = createExperiments(api, () => {
      if (++pauses === 2) control.stop();
      return Promise.resolve();
    });
    await control.start(experiment);
    expect(control.get().runs[pointKey('skew', 1)]?.state).toBe('cancelled');
    expect(control.get().problem).toBeNull();
    await control.start(experiment);
    expect(api.asked).toEqual(['y(i) = 1', 'y(i) = 2', 'y(i) = 2', 'y(i) = 3']);
  });
});

describe('how long an experiment still takes', () => {
  const done = (seconds: number): RunView =>
    ({
      state: 'done',
      started: '2026-11-23T10:00:00.000Z',
      finished: new Date(Date.parse('2026-11-23T10:00:00.000Z') + 1000 * seconds).toISOString(),
    }) as RunView;

  it('is what the service expects, until runs have shown it', () => {
    const expected = { ...experiment, seconds_per_run: 8 };
    expect(secondsLeft(expected, [undefined, undefined, undefined])).toBe(24);
    expect(secondsLeft(expected, [done(5), undefined, undefined])).toBe(10);
    expect(secondsLeft(expected, [done(5), done(5), done(5)])).toBeNull();
    expect(secondsLeft(experiment, [undefined, undefined, undefined])).toBeNull();
  });
});
