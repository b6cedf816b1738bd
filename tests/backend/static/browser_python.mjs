// node browser_python.mjs PYODIDE FOLDER: the Python of a folder, as a page's worker starts it. Answers requests, one per line
// as JSON {method, path, body}, by lines {status, text}.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const [place, folder] = process.argv.slice(2);
const bytesOf = (...names) => new Uint8Array(readFileSync(join(folder, ...names)));
const { loadPyodide } = await import(pathToFileURL(join(place, 'pyodide.mjs')).href);
const listing = JSON.parse(readFileSync(join(folder, 'python', 'index.json'), 'utf8'));
const python = await loadPyodide({ indexURL: place, stderr: (line) => process.stderr.write(`${line}\n`) });
python.runPython(readFileSync(join(folder, 'python', listing.start), 'utf8'));
for (const archive of listing.archives) {
  python.FS.writeFile(`/${archive}`, new Uint8Array(gunzipSync(bytesOf('python', archive))));
  python.globals.get('start')(`/${archive}`, '/heddle');
}
const answers = python.globals.get('import_for_good')('heddle_server.static.answers');
for await (const line of createInterface({ input: process.stdin })) {
  const { method, path, body } = JSON.parse(line);
  for (const file of answers.data_files(path, body).toJs()) {
    python.FS.writeFile(`/heddle/heddle_server/datasets/${file}`, bytesOf('data', file));
  }
  const [status, text] = answers.answer(method, path, body).toJs();
  process.stdout.write(`${JSON.stringify({ status, text })}\n`);
}
