import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchRun } from './run-events';

class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readyState = 1;
  onerror: (() => void) | null = null;
  constructor(readonly url: string) {
    super();
    FakeSource.all.push(this);
  }
  close(): void {
    this.readyState = FakeSource.CLOSED;
  }
  say(type: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.all = [];
  vi.stubGlobal('EventSource', FakeSource);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function watch() {
  const heard: unknown[] = [];
  const stop = watchRun('r1', {
    onState: (state) => heard.push(['state', state.state]),
    onProgress: (progress) => heard.push(['progress', progress.fraction]),
    onCut: () => heard.push('cut'),
    onEnd: (view) => heard.push(['end', view.state]),
  });
  return { heard, stop };
}

describe('watching a run', () => {
  it('hears states and progress, and reads the whole run at its end', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"state":"done"}')));
    const { heard } = watch();
    const [source] = FakeSource.all;
    expect(source?.url).toBe('/api/v1/runs/r1/events');
    source?.say('state', { state: 'running' });
    source?.say('progress', { phase: 'timing', fraction: 0.5, message: '' });
    source?.say('end', { state: 'done' });
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual([
      ['state', 'running'],
      ['progress', 0.5],
      ['end', 'done'],
    ]);
    expect(source?.readyState).toBe(FakeSource.CLOSED);
  });

  it('opens the stream anew when the browser gave it up', async () => {
    const { heard, stop } = watch();
    const [source] = FakeSource.all;
    source?.close();
    source?.onerror?.();
    expect(heard).toEqual(['cut']);
    await vi.advanceTimersByTimeAsync(3000);
    expect(FakeSource.all).toHaveLength(2);
    stop();
    FakeSource.all[1]?.onerror?.();
    expect(heard).toEqual(['cut']);
  });

  it('asks again when the end cannot be read', async () => {
    let connected = false;
    vi.stubGlobal('fetch', () =>
      connected ? Promise.resolve(new Response('{"state":"crashed"}')) : Promise.reject(new TypeError('offline')),
    );
    const { heard } = watch();
    FakeSource.all[0]?.say('end', {});
    await vi.advanceTimersByTimeAsync(0);
    connected = true;
    await vi.advanceTimersByTimeAsync(3000);
    expect(heard).toEqual(['cut', ['end', 'crashed']]);
  });
});
