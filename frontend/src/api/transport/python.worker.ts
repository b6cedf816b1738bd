/** The compiler in this browser: Python, NumPy and Heddle, answering one request at a time. */
import type { loadPyodide as LoadPyodide, PyodideInterface } from 'pyodide';
import type { Ask, FromPython, ToPython } from './python-messages';

const scope = self as unknown as DedicatedWorkerGlobalScope;
const HEDDLE = '/heddle';
const DATA = `${HEDDLE}/heddle_server/datasets/`;

/** Of `python/index.json`: what is loaded, with sizes in bytes. */
interface Listing {
  /** NumPy first: Heddle changes more often, and what has not changed is kept. */
  readonly archives: readonly string[];
  /** What its Python runs first. */
  readonly start: string;
  readonly bytes: Readonly<Record<string, number>>;
}

type Answer = (
  method: string,
  path: string,
  body: string | null,
) => { toJs: () => [number, string]; destroy: () => void };
type DataFiles = (path: string, body: string | null) => { toJs: () => string[]; destroy: () => void };

interface Python {
  readonly folder: string;
  readonly stop: Uint8Array | null;
  readonly pyodide: PyodideInterface;
  /** The files of data that it has by now. */
  readonly data: Set<string>;
  readonly answer: Answer;
  readonly dataFiles: DataFiles;
  /** Imports something that a later answer needs; false after the last. */
  readonly importNext: () => boolean;
}

const say = (message: FromPython): void => scope.postMessage(message);

async function answered(address: string): Promise<Response> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${String(answer.status)}.`);
  return answer;
}

const bytesOf = async (address: string): Promise<Uint8Array> =>
  new Uint8Array(await (await answered(address)).arrayBuffer());

/**
 * Counts what arrives until the function that it answers with is called. Some hosts do not know what WebAssembly is called,
 * and the browser then says so in its console.
 */
function watchArrivals(total: number): () => void {
  const plain = scope.fetch;
  const ask = plain.bind(scope);
  let loaded = 0;
  scope.fetch = async (input, init) => {
    const answer = await ask(input, init);
    if (answer.body === null) return answer;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        loaded += chunk.length;
        say({ kind: 'boot', boot: { phase: 'loading', loaded: Math.min(loaded, total), total } });
        controller.enqueue(chunk);
      },
    });
    const { status, statusText } = answer;
    const headers = new Headers(answer.headers);
    if (answer.url.endsWith('.wasm')) headers.set('Content-Type', 'application/wasm');
    return new Response(answer.body.pipeThrough(counter), { status, statusText, headers });
  };
  return () => void (scope.fetch = plain);
}

async function start(folder: string, stop: Uint8Array | null): Promise<Python> {
  const place = `${folder}python/`;
  const module = import(/* @vite-ignore */ `${place}pyodide.js`) as Promise<{ loadPyodide: typeof LoadPyodide }>;
  const listing = (await (await answered(`${place}index.json`)).json()) as Listing;
  const allArrived = watchArrivals(Object.values(listing.bytes).reduce((sum, bytes) => sum + bytes, 0));
  const rest = Promise.all([
    Promise.all(listing.archives.map((name) => bytesOf(place + name).then(unpacked))),
    answered(place + listing.start).then((answer) => answer.text()),
  ]);
  const pyodide = await (await module).loadPyodide({ indexURL: place });
  const [archives, program] = await rest;
  allArrived();
  say({ kind: 'boot', boot: { phase: 'starting' } });
  pyodide.runPython(program);
  const begin = pyodide.globals.get('start') as (archive: string, root: string) => void;
  archives.forEach((archive, number) => {
    const path = `/archive${String(number)}.tar`;
    pyodide.FS.writeFile(path, archive, { canOwn: true });
    begin(path, HEDDLE);
  });
  const importForGood = pyodide.globals.get('import_for_good') as (name: string) => unknown;
  const answers = importForGood('heddle_server.static.answers') as {
    answer: Answer;
    data_files: DataFiles;
    import_next: () => boolean;
  };
  const { answer, data_files: dataFiles, import_next: importNext } = answers;
  if (stop !== null) {
    (pyodide.globals.get('lose_interrupts') as () => void)();
    pyodide.setInterruptBuffer(stop);
  }
  return { folder, stop, pyodide, data: new Set(), answer, dataFiles, importNext };
}

/** Browsers unpack faster than their Python does. */
async function unpacked(packed: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const memoryOf = ({ pyodide }: Python): number =>
  (pyodide as unknown as { readonly _module: { readonly HEAPU8: Uint8Array } })._module.HEAPU8.length;

/** The answer where a file of data cannot be had: what else was asked can be answered all the same. */
function away(path: string, file: string) {
  const detail =
    `The data in ${file} are a file of this folder that this browser does not have yet, and the network does not ` +
    'answer. The page keeps trying.';
  const problem = { type: 'urn:heddle:problem:data-away', title: 'Not in this browser yet', status: 503, detail };
  return { status: 503, text: JSON.stringify({ ...problem, instance: path }) };
}

/** What was to stop before now came too late for its request, and is not meant for the next one. */
function goOn({ stop }: Python): void {
  if (stop !== null) Atomics.store(stop, 0, 0);
}

async function reply(python: Python, ask: Ask): Promise<FromPython> {
  goOn(python);
  try {
    return await computed(python, ask);
  } catch (error) {
    const { PythonError } = python.pyodide.ffi;
    if (error instanceof PythonError && error.type === 'KeyboardInterrupt') return { kind: 'stopped' };
    throw error;
  }
}

async function computed(python: Python, { method, path, body }: Ask): Promise<FromPython> {
  const wanted = python.dataFiles(path, body);
  const files = wanted.toJs();
  wanted.destroy();
  for (const file of files.filter((name) => !python.data.has(name))) {
    const content = await bytesOf(`${python.folder}data/${file}`).catch(() => null);
    if (content === null) return { kind: 'reply', ...away(path, file), bytes: memoryOf(python) };
    python.pyodide.FS.writeFile(DATA + file, content);
    python.data.add(file);
  }
  const pair = python.answer(method, path, body);
  const [status, text] = pair.toJs();
  pair.destroy();
  return { kind: 'reply', status, text, bytes: memoryOf(python) };
}

let python: Promise<Python> | undefined;

/** Milliseconds without a request after which nobody waits for one. */
const IDLE = 500;
let idle: ReturnType<typeof setTimeout> | undefined;

function importWhenIdle(started: Python): void {
  clearTimeout(idle);
  idle = setTimeout(() => {
    goOn(started);
    if (started.importNext()) importWhenIdle(started);
  }, IDLE);
}

const inWords = (error: unknown): string => (error instanceof Error ? error.message : String(error));

scope.onmessage = ({ data }: MessageEvent<ToPython>) => {
  if (data.kind === 'begin') {
    python = start(data.folder, data.stop);
    python.then(
      (started) => {
        say({ kind: 'boot', boot: { phase: 'ready' } });
        importWhenIdle(started);
      },
      (error: unknown) => say({ kind: 'failed', reason: inWords(error) }),
    );
    return;
  }
  python
    ?.then(async (started) => {
      say(await reply(started, data));
      importWhenIdle(started);
    })
    .catch((error: unknown) => say({ kind: 'failed', reason: inWords(error) }));
};
