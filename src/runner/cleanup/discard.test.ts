import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { moveAside, removeAllDiscarded } from './discard.ts';

/** Creates 2000 nested folders in its working directory, with files whose names are not UTF-8. */
const DEEP = `
import { mkdirSync, writeFileSync } from 'node:fs';
for (let level = 0; level < 2000; level++) {
  writeFileSync(Buffer.from([0xff, 0xfe, 0x41]), '');
  mkdirSync('deep');
  process.chdir('deep');
}`;
const REMOVE = `
import { removeAllDiscarded } from ${JSON.stringify(new URL('./discard.ts', import.meta.url).pathname)};
await removeAllDiscarded(process.argv[1]);`;

const node = (before: string, source: string, cwd: string, ...args: readonly string[]): void => {
  const command = `${before} exec "$0" --input-type=module -e "$@"`;
  execFileSync('/bin/sh', ['-c', command, process.execPath, source, ...args], { cwd });
};

test('folders nested deeper than a process may have files open are removed', async () => {
  const base = mkdtempSync(join(tmpdir(), 'agent-'));
  const job = join(base, 'run-1');
  mkdirSync(job);
  node('', DEEP, job);
  moveAside(base, job);
  expect(readdirSync(base)).toHaveLength(1);
  node('ulimit -n 256;', REMOVE, tmpdir(), base);
  expect(readdirSync(base)).toEqual([]);
});

test('only discarded folders are removed', async () => {
  const base = mkdtempSync(join(tmpdir(), 'agent-'));
  mkdirSync(join(base, 'kept'));
  writeFileSync(join(base, 'registered'), '');
  await removeAllDiscarded(base);
  await removeAllDiscarded(join(base, 'none'));
  expect(readdirSync(base).sort()).toEqual(['kept', 'registered']);
});
