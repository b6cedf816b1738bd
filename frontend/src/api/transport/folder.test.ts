import { afterEach, expect, it, vi } from 'vitest';
import { OfflineError } from '../problem';
import { setBoot } from './boot';
import { createFolder } from './folder';
import type { Work } from './work-queue';

const PLAN = { version: 2, expression: 'y(i) = x(i)' };
const INDEX = [
  { method: 'GET', path: '/formats', body: null, file: 'get-formats.json' },
  { method: 'POST', path: '/compile', body: { expression: 'y(i) = x(i)', version: 2 }, file: 'post-compile.json' },
];
const FILES: Readonly<Record<string, string>> = {
  'answers/index.json': JSON.stringify(INDEX),
  'answers/get-formats.json': '[]',
  'answers/post-compile.json': '{"stored":true}',
};

afterEach(() => setBoot({ phase: 'waiting' }));

it('reads what never changes from files, and a stored answer until the compiler runs', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  vi.stubGlobal('requestIdleCallback', (task: () => void) => task());
  const asked: Work[] = [];
  const start = vi.fn();
  const folder = createFolder({
    start,
    stop: () => undefined,
    answer: (work) => {
      asked.push(work);
      return Promise.resolve({ status: 200, text: '{"computed":true}' });
    },
  });
  await expect(folder.request('GET', '/formats', undefined)).rejects.toBeInstanceOf(OfflineError);
  vi.stubGlobal('fetch', (address: string) => {
    const text = Object.entries(FILES).find(([path]) => address.endsWith(path))?.[1];
    return Promise.resolve(text === undefined ? new Response('', { status: 404 }) : new Response(text));
  });
  expect((await folder.request('GET', '/formats', undefined)).text).toBe('[]');
  expect(start).not.toHaveBeenCalled();
  expect((await folder.request('POST', '/compile', PLAN)).text).toBe('{"stored":true}');
  expect(start).toHaveBeenCalledOnce();
  expect(asked).toEqual([]);
  setBoot({ phase: 'ready' });
  expect((await folder.request('POST', '/compile', PLAN)).text).toBe('{"computed":true}');
  expect((await folder.request('GET', '/lessons/first?seed=3', undefined)).text).toBe('{"computed":true}');
  expect(asked).toEqual([
    { method: 'POST', path: '/compile', body: JSON.stringify(PLAN) },
    { method: 'GET', path: '/lessons/first?seed=3', body: null },
  ]);
  await expect(folder.request('POST', '/compile', PLAN, AbortSignal.abort())).rejects.toThrow('A newer request');
});
