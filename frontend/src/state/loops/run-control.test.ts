import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRunControl } from './run-control';
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

const answers = new Map<string, [number, unknown]>();

beforeEach(() => {
  sources.length = 0;
  answers.clear();
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('fetch', (url: string, options: { method: string }) => {
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
});
