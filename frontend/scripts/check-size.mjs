// The first view: what the document names, packed as the service sends it, and how many files that is.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const BUDGET = 275_000;
const FILES = 2;
const html = readFileSync('dist/index.html', 'utf8');
const pending = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((match) => join('dist', match[1]));
const seen = new Set();
let total = 0;
while (pending.length > 0) {
  const file = pending.pop();
  if (seen.has(file) || !existsSync(file)) continue;
  seen.add(file);
  total += readFileSync(`${file}.br`).length;
  const text = readFileSync(file, 'utf8');
  for (const match of text.matchAll(/(?:from|import)\s*"(\.[^"]+\.js)"/g)) pending.push(join(dirname(file), match[1]));
}
const said = `First view: ${(total / 1000).toFixed(1)} kB of scripts and styles in ${seen.size} files`;
console.log(`${said} (at most ${BUDGET / 1000} kB in ${FILES}).`);
if (total > BUDGET || seen.size > FILES) {
  console.error('Over the budget: load what the first view does not show when it is asked for.');
  process.exit(1);
}
