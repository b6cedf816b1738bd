/** Answers that lie in the folder as files: the catalogue, and what is shown before the compiler has started. */
import { canonicalJson } from '../../plan/plan';
import { fileAddress } from '../site';
import type { Method, Reply } from './transport';

interface Entry {
  readonly method: Method;
  readonly path: string;
  readonly body: unknown;
  readonly file: string;
}

let index: Promise<readonly Entry[]> | undefined;

async function fetched(path: string, signal?: AbortSignal): Promise<string> {
  const answer = await fetch(fileAddress(path), signal === undefined ? {} : { signal });
  if (!answer.ok) throw new TypeError(`${path}: ${String(answer.status)}`);
  return answer.text();
}

async function read(): Promise<readonly Entry[]> {
  return JSON.parse(await fetched('answers/index.json')) as readonly Entry[];
}

/** The stored answer to a request; null where there is none. Rejects with a TypeError where the folder is away. */
export async function storedAnswer(
  method: Method,
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Reply | null> {
  index ??= read().catch((error: unknown) => {
    index = undefined;
    throw error;
  });
  const asked = canonicalJson(body ?? null);
  const entry = (await index).find(
    (known) => known.method === method && known.path === path && canonicalJson(known.body) === asked,
  );
  return entry === undefined ? null : { status: 200, text: await fetched(`answers/${entry.file}`, signal) };
}
