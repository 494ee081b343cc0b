import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pack } from './pack.ts';
import { packFiles } from './pack-files.ts';
import { unpack } from './unpack.ts';

const never = new AbortController().signal;
const BOUNDS = {
  ...{ packedBytes: 100_000, bytes: 1_000_000, entries: 1000, depth: 100 },
  ...{ mayLeadOut: false, advice: '' },
};
const newFolder = () => mkdtempSync(join(tmpdir(), 'pack-'));

async function unpacked(bytes: Buffer): Promise<string> {
  const into = newFolder();
  const pieces = (async function* () {
    yield bytes;
  })();
  await unpack(pieces, into, BOUNDS, never);
  return into;
}

test('files from memory: content, mode, and names that have no space in a header', async () => {
  const long = `${'folder/'.repeat(60)}läng.tf`;
  const files = [
    { name: 'empty', content: '' },
    { name: 'a/main.tf', content: 'x = 1' },
    { name: long, content: Buffer.alloc(5000, 'x') },
  ];
  const bytes = packFiles(files, { mode: 0o755 });
  const into = await unpacked(bytes);
  for (const { name, content } of files) expect(readFileSync(join(into, name))).toEqual(Buffer.from(content));
  expect(statSync(join(into, 'empty')).mode & 0o777).toBe(0o755);
  expect(packFiles(files, { mode: 0o755 }), 'equal bytes for equal files').toEqual(bytes);
});

test('folders: without the paths that are left out, and only for the owner', async () => {
  const from = newFolder();
  for (const folder of ['work/.keep', 'work/.drop/deep', 'other']) mkdirSync(join(from, folder), { recursive: true });
  for (const file of ['work/main.tf', 'work/.keep/a', 'work/.drop/b', 'work/.drop/deep/c', 'other/d']) {
    writeFileSync(join(from, file), file);
  }
  symlinkSync('main.tf', join(from, 'work/link'));
  const to = join(newFolder(), 'folder.tar.gz');
  await pack({ from, folders: ['work'], without: /\/\.drop(\/|$)/ }, to, never);
  expect(statSync(to).mode & 0o777).toBe(0o600);
  const into = await unpacked(readFileSync(to));
  for (const file of ['work/main.tf', 'work/.keep/a']) expect(readFileSync(join(into, file), 'utf8')).toBe(file);
  expect(readFileSync(join(into, 'work/link'), 'utf8')).toBe('work/main.tf');
  for (const file of ['work/.drop', 'other']) expect(existsSync(join(into, file)), file).toBe(false);
});
