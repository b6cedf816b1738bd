import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRunControl } from './run-control';
import { hasRun, shownRun } from '../runs/run-state';
import { createStore } from '../store';

const sources: EventTarget[] = [];

class FakeSource extends EventTarget {
  onerror = null;
  readyState = 1;
  constructor() {
    super();
    sources.push(this);
  }
  close(): void {
    this.readyState = 2;
  }
}

const asked: string[] = [];
const answers = new Map<string, [number, unknown]>();

beforeEach(() => {
  sources.length = 0;
  answers.clear();
  asked.length = 0;
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('fetch', (url: string, options: { method: string }) => {
    asked.push(`${options.method} ${url}`);
    const [status, body] = answers.get(`${options.method} ${url}`) ?? [404, { title: 'Not found' }];
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
});
afterEach(() => void vi.unstubAllGlobals());

const say = (type: string, data: unknown): void => {
  sources.at(-1)?.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
};

describe('a run', () => {
  it('goes from the queue to its result', async () => {
    const store = createStore();
    const control = createRunControl(store);
    answers.set('POST /api/v1/runs', [202, { id: 'r1', state: 'queued', queue_position: 3 }]);
    await control.start();
    expect(store.get().run).toMatchObject({ phase: 'watching', view: { state: 'queued', queue_position: 3 } });
    say('state', { state: 'running', queue_position: null });
    say('progress', { phase: 'measure', fraction: 0.25, message: '' });
    expect(store.get().run.view).toMatchObject({ state: 'running', progress: { fraction: 0.25 } });
    answers.set('GET /api/v1/runs/r1', [200, { id: 'r1', state: 'done', result: { threads: 2 } }]);
    say('end', { state: 'done' });
    await vi.waitFor(() => expect(store.get().run.phase).toBe('ended'));
    expect(store.get().run).toMatchObject({
      view: { result: { threads: 2 } },
      plan: { expression: 'y(i) = A(i,j) * x(j)' },
    });
  });

  it('shows why it was refused', async () => {
    const store = createStore();
    answers.set('POST /api/v1/runs', [429, { title: 'Too many runs', status: 429, detail: 'Wait 3 s.' }]);
    await createRunControl(store).start();
    expect(store.get().run).toMatchObject({ phase: 'idle', view: null, problem: { title: 'Too many runs' } });
  });

  it('is cancelled by its id, and says when that fails', async () => {
    const store = createStore();
    const control = createRunControl(store);
    await control.cancel();
    expect(store.get().run.problem).toBeNull();
    answers.set('POST /api/v1/runs', [202, { id: 'r1', state: 'queued' }]);
    await control.start();
    await control.cancel();
    expect(store.get().run.problem).toMatchObject({ title: 'Not found' });
    answers.set('DELETE /api/v1/runs/r1', [200, { id: 'r1', state: 'cancelled' }]);
    answers.set('GET /api/v1/runs/r1', [200, { id: 'r1', state: 'cancelled' }]);
    await control.cancel();
    say('end', { state: 'cancelled' });
    await vi.waitFor(() => expect(store.get().run).toMatchObject({ phase: 'ended', view: { state: 'cancelled' } }));
  });

  it('keeps the result before until it has its own, through a cancellation', async () => {
    const store = createStore();
    const control = createRunControl(store);
    answers.set('POST /api/v1/runs', [202, { id: 'r1', state: 'queued' }]);
    await control.start();
    answers.set('GET /api/v1/runs/r1', [200, { id: 'r1', state: 'done', result: { threads: 2 } }]);
    say('end', { state: 'done' });
    await vi.waitFor(() => expect(store.get().run.phase).toBe('ended'));

    answers.set('POST /api/v1/runs?fresh=true', [202, { id: 'r2', state: 'queued' }]);
    await control.start();
    expect(store.get().run.view).toMatchObject({ id: 'r2' });
    expect(shownRun(store.get().run)).toMatchObject({ view: { id: 'r1' } });
    answers.set('DELETE /api/v1/runs/r2', [200, { id: 'r2', state: 'cancelled' }]);
    answers.set('GET /api/v1/runs/r2', [200, { id: 'r2', state: 'cancelled', result: null }]);
    await control.cancel();
    say('end', { state: 'cancelled' });
    await vi.waitFor(() => expect(store.get().run).toMatchObject({ phase: 'ended', view: { state: 'cancelled' } }));
    expect(shownRun(store.get().run)).toMatchObject({ view: { id: 'r1' } });
  });

  it('can be cancelled before the service has answered', async () => {
    const store = createStore();
    const control = createRunControl(store);
    answers.set('POST /api/v1/runs', [202, { id: 'r1', state: 'queued' }]);
    const started = control.start();
    await control.cancel();
    expect(asked).not.toContain('DELETE /api/v1/runs/r1');
    answers.set('DELETE /api/v1/runs/r1', [200, { id: 'r1', state: 'cancelled' }]);
    await started;
    expect(asked).toContain('DELETE /api/v1/runs/r1');
  });
});

describe('a run from before the page was loaded', () => {
  const plan = { version: 2, expression: 'y(i) = x(i)' };

  it('is shown when it has ended, and followed when it has not', async () => {
    const store = createStore();
    const control = createRunControl(store);
    answers.set('GET /api/v1/runs/r1', [200, { id: 'r1', state: 'running', finished: null, result: null }]);
    expect(await control.resume('r1', plan, true)).toBe(true);
    expect(store.get().run).toMatchObject({ phase: 'watching', view: { state: 'running' }, plan });
    answers.set('GET /api/v1/runs/r1', [200, { id: 'r1', state: 'done', finished: 'now', result: { threads: 2 } }]);
    say('end', { state: 'done' });
    await vi.waitFor(() => expect(store.get().run).toMatchObject({ phase: 'ended', view: { state: 'done' } }));

    const other = createStore();
    expect(await createRunControl(other).resume('r1', plan, true)).toBe(true);
    expect(other.get().run).toMatchObject({ phase: 'ended', view: { result: { threads: 2 } } });
  });

  it('is said to be gone where the service has deleted it, if it was missed', async () => {
    const store = createStore();
    answers.set('GET /api/v1/runs/r1', [404, { title: 'Not found', status: 404, detail: '' }]);
    expect(await createRunControl(store).resume('r1', plan, true)).toBe(false);
    expect(store.get().run).toMatchObject({ phase: 'idle', view: null, problem: { title: 'The run is gone' } });
    expect(await createRunControl(store).resume('r1', plan, false)).toBe(false);
    expect(store.get().run).toMatchObject({ phase: 'idle', problem: null });
    expect(hasRun(store.get().run)).toBe(false);
  });

  it('is waited for while the service is away', async () => {
    const store = createStore();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    expect(await createRunControl(store).resume('r1', plan, true)).toBe(true);
    expect(store.get().run).toMatchObject({ phase: 'watching', problem: { title: 'Reconnecting' } });
  });
});
