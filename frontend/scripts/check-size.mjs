// First load: the entry script and all that it imports statically must stay within 300 kB gzipped.
import { readFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const BUDGET = 300_000;
const html = readFileSync('dist/index.html', 'utf8');
const pending = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map((match) => join('dist', match[1]));
const seen = new Set();
let total = 0;
while (pending.length > 0) {
  const file = pending.pop();
  if (seen.has(file) || !existsSync(file)) continue;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  total += gzipSync(text).length;
  for (const match of text.matchAll(/(?:from|import)\s*"(\.[^"]+\.js)"/g)) pending.push(join(dirname(file), match[1]));
}
console.log(`First load: ${(total / 1000).toFixed(1)} kB gzipped JavaScript in ${seen.size} files (budget 300 kB).`);
if (total > BUDGET) {
  console.error('Over the budget: load the heavy part lazily.');
  process.exit(1);
}
