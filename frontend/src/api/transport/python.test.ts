import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OfflineError, TimeoutError } from '../problem';
import { bootInWords, getBoot, setBoot } from './boot';
import type { FromPython, ToPython } from './python-messages';
import { createPython, MOST_ANSWERS, MOST_BYTES } from './python';
import { StoppedError, type Work } from './work-queue';

const WORK: Work = { method: 'POST', path: '/compile', body: '{}' };

/** A worker that says what the test tells it to. */
class FakeWorker {
  readonly heard: ToPython[] = [];
  onmessage: ((event: { data: FromPython }) => void) | null = null;
  onerror: (() => void) | null = null;
  ended = false;
  postMessage(message: ToPython): void {
    this.heard.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  say(message: FromPython): void {
    this.onmessage?.({ data: message });
  }
}

function started() {
  const workers: FakeWorker[] = [];
  const python = createPython(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  });
  return { workers, python };
}

const READY: FromPython = { kind: 'boot', boot: { phase: 'ready' } };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Worker', FakeWorker);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  setBoot({ phase: 'waiting' });
});

it('starts before it is asked, once', async () => {
  const { workers, python } = started();
  python.start();
  python.start();
  const reply = python.answer(WORK);
  expect(workers.length).toBe(1);
  workers[0]?.say(READY);
  await vi.advanceTimersByTimeAsync(0);
  workers[0]?.say({ kind: 'reply', status: 200, text: '{}', bytes: 0 });
  expect(await reply).toEqual({ status: 200, text: '{}' });
});

it('starts when it is first asked, and no limit counts the start', async () => {
  const { workers, python } = started();
  expect(workers).toEqual([]);
  const reply = python.answer(WORK);
  const [worker] = workers;
  worker?.say({ kind: 'boot', boot: { phase: 'loading', loaded: 3_100_000, total: 11_000_000 } });
  expect(bootInWords(getBoot())).toBe('Starting the compiler in this browser (3.1 of 11 MB)');
  await vi.advanceTimersByTimeAsync(600_000);
  worker?.say(READY);
  await vi.advanceTimersByTimeAsync(0);
  expect(bootInWords(getBoot())).toBe('');
  worker?.say({ kind: 'reply', status: 200, text: '{"ok":true}', bytes: 0 });
  await expect(reply).resolves.toEqual({ status: 200, text: '{"ok":true}' });
  expect(worker?.heard.map(({ kind }) => kind)).toEqual(['begin', 'ask']);
});

it('ends a worker that hangs, and starts another one for the next request', async () => {
  const { workers, python } = started();
  const hanging = python.answer(WORK).catch((error: unknown) => error);
  workers[0]?.say(READY);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await hanging).toBeInstanceOf(TimeoutError);
  expect(workers[0]?.ended).toBe(true);
  const next = python.answer(WORK);
  workers[1]?.say(READY);
  await vi.advanceTimersByTimeAsync(0);
  workers[1]?.say({ kind: 'reply', status: 200, text: '', bytes: 0 });
  await expect(next).resolves.toEqual({ status: 200, text: '' });
});

it('says why it cannot start, and tries again', async () => {
  const { workers, python } = started();
  const failed = python.answer(WORK).catch((error: unknown) => error);
  workers[0]?.say({ kind: 'failed', reason: 'python/index.json answered 404.' });
  expect(await failed).toBeInstanceOf(OfflineError);
  expect(bootInWords(getBoot())).toBe('The compiler could not be started: python/index.json answered 404.');
  void python.answer(WORK).catch(() => undefined);
  expect(workers).toHaveLength(2);
});

it('says in one sentence what a browser lacks', async () => {
  vi.stubGlobal('WebAssembly', undefined);
  const { python } = started();
  await expect(python.answer(WORK)).rejects.toBeInstanceOf(OfflineError);
  expect(bootInWords(getBoot())).toBe(
    'This browser cannot run the compiler: it has no WebAssembly or no workers. A current Firefox or Chromium can.',
  );
});

/** Answers requests until one after which another worker was started; how many those were. */
async function spend({ workers, python }: ReturnType<typeof started>, bytes: number): Promise<number> {
  const before = workers.length;
  for (let answers = 1; ; answers += 1) {
    const reply = python.answer(WORK);
    await vi.advanceTimersByTimeAsync(0);
    const worker = workers[before - 1];
    worker?.say({ kind: 'reply', status: 200, text: '', bytes });
    await reply;
    if (workers.length > before) return answers;
  }
}

it('starts another worker beside one that has answered much, and changes over when it is ready', async () => {
  const both = started();
  const { workers, python } = both;
  void python.answer(WORK);
  workers[0]?.say(READY);
  await vi.advanceTimersByTimeAsync(0);
  workers[0]?.say({ kind: 'reply', status: 200, text: '', bytes: 0 });
  await vi.advanceTimersByTimeAsync(0);
  expect(await spend(both, 0)).toBe(MOST_ANSWERS - 1);
  const meanwhile = python.answer(WORK);
  await vi.advanceTimersByTimeAsync(0);
  workers[0]?.say({ kind: 'reply', status: 200, text: 'old', bytes: 0 });
  expect((await meanwhile).text).toBe('old');
  expect(bootInWords(getBoot())).toBe('');
  workers[1]?.say(READY);
  await vi.advanceTimersByTimeAsync(0);
  expect(workers[0]?.ended).toBe(true);
  const next = python.answer(WORK);
  await vi.advanceTimersByTimeAsync(0);
  workers[1]?.say({ kind: 'reply', status: 200, text: 'new', bytes: 0 });
  expect((await next).text).toBe('new');
  expect(await spend(both, MOST_BYTES + 1)).toBe(49);
  expect(workers).toHaveLength(3);
});

it('asks a worker to stop where pages share memory with theirs, and keeps it', async () => {
  vi.stubGlobal('crossOriginIsolated', true);
  const { workers, python } = started();
  python.stop();
  const dropped = python.answer(WORK).catch((error: unknown) => error);
  workers[0]?.say(READY);
  await vi.advanceTimersByTimeAsync(0);
  const [begin] = workers[0]?.heard ?? [];
  const flag = begin?.kind === 'begin' ? begin.stop : null;
  expect(flag?.[0]).toBe(0);
  python.stop();
  expect(flag?.[0]).toBe(2);
  workers[0]?.say({ kind: 'stopped' });
  expect(await dropped).toBeInstanceOf(StoppedError);
  expect(workers[0]?.ended).toBe(false);
  const next = python.answer(WORK);
  await vi.advanceTimersByTimeAsync(0);
  workers[0]?.say({ kind: 'reply', status: 200, text: '', bytes: 0 });
  await expect(next).resolves.toEqual({ status: 200, text: '' });
});

it('lets a worker end what it does where no memory is shared', () => {
  const { workers, python } = started();
  python.start();
  expect(workers[0]?.heard).toMatchObject([{ kind: 'begin', stop: null }]);
  expect(() => python.stop()).not.toThrow();
});
