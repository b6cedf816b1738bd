// The committed client must be what backend/heddle_server/openapi.json generates; a drift fails the build.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const committed = 'src/api/schema.gen.ts';
const fresh = join(mkdtempSync(join(tmpdir(), 'heddle-')), 'schema.gen.ts');
const options = { stdio: ['ignore', 'ignore', 'inherit'] };
execFileSync('npx', ['openapi-typescript', '../backend/heddle_server/openapi.json', '-o', fresh], options);
if (readFileSync(fresh, 'utf8') !== readFileSync(committed, 'utf8')) {
  console.error(
    `${committed} does not match backend/heddle_server/openapi.json: run "npm run generate" and commit the result.`,
  );
  process.exit(1);
}
console.log('The generated client matches backend/heddle_server/openapi.json.');
