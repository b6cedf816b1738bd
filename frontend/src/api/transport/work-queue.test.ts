import { expect, it } from 'vitest';
import { isAbort } from '../problem';
import type { Reply } from './transport';
import { createWorkQueue, StoppedError, type Work } from './work-queue';

const work = (path: string): Work => ({ method: 'POST', path, body: null });

/** A queue whose answers are given by hand, with the paths that were asked, in order. */
function byHand() {
  const asked: string[] = [];
  let settle: ((reply: Reply) => void) | undefined;
  const queue = createWorkQueue(({ path }) => {
    asked.push(path);
    return new Promise((resolve) => (settle = resolve));
  });
  const finish = async (): Promise<void> => {
    settle?.({ status: 200, text: '' });
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { queue, asked, finish };
}

it('answers one at a time, what a person waits for first and explanations last', async () => {
  const { queue, asked, finish } = byHand();
  const all = ['/trace', '/suggest?machine=browser', '/storage', '/compile'].map((path) => queue.add(work(path)));
  expect(asked).toEqual(['/trace']);
  for (let count = 0; count < 4; count += 1) await finish();
  expect(asked).toEqual(['/trace', '/compile', '/storage', '/suggest?machine=browser']);
  await expect(Promise.all(all)).resolves.toHaveLength(4);
});

it('drops what nobody waits for any more, and goes on after a failure', async () => {
  const { queue, asked, finish } = byHand();
  const first = queue.add(work('/compile'));
  const gone = new AbortController();
  const dropped = queue.add(work('/legal'), gone.signal).catch((error: unknown) => error);
  const last = queue.add(work('/trace'));
  gone.abort();
  expect(isAbort(await dropped)).toBe(true);
  await finish();
  await finish();
  await Promise.all([first, last]);
  expect(asked).toEqual(['/compile', '/trace']);
  await expect(queue.add(work('/legal'), gone.signal)).rejects.toThrow('A newer request');

  const failing = createWorkQueue(({ path }) =>
    path === '/legal' ? Promise.reject(new Error('broken')) : Promise.resolve({ status: 200, text: path }),
  );
  const results = await Promise.allSettled([failing.add(work('/legal')), failing.add(work('/trace'))]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

/** The same, where what is asked can be stopped. */
function stoppable() {
  const asked: string[] = [];
  let settle: { resolve: (reply: Reply) => void; reject: (error: unknown) => void } | undefined;
  const queue = createWorkQueue(
    ({ path }) => {
      asked.push(path);
      return new Promise((resolve, reject) => (settle = { resolve, reject }));
    },
    () => settle?.reject(new StoppedError()),
  );
  const finish = async (): Promise<void> => {
    settle?.resolve({ status: 200, text: '' });
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { queue, asked, finish };
}

it('stops what can wait for what a person waits for, and begins it again', async () => {
  const { queue, asked, finish } = stoppable();
  const later = queue.add(work('/legal'));
  const urgent = queue.add(work('/compile'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).toEqual(['/legal', '/compile']);
  void queue.add(work('/compile'));
  await finish();
  await finish();
  await finish();
  await Promise.all([later, urgent]);
  expect(asked).toEqual(['/legal', '/compile', '/compile', '/legal']);
});

it('stops what nobody waits for any more', async () => {
  const { queue, asked, finish } = stoppable();
  const gone = new AbortController();
  const dropped = queue.add(work('/compile'), gone.signal).catch((error: unknown) => error);
  const newer = queue.add(work('/compile?newer'));
  gone.abort();
  expect(isAbort(await dropped)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).toEqual(['/compile', '/compile?newer']);
  await finish();
  await expect(newer).resolves.toEqual({ status: 200, text: '' });
});
