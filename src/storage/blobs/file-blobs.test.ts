import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { blobStoreContract } from '../../../test/support/blobs/blob-store-contract.ts';
import { FileBlobs } from './file-blobs.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

blobStoreContract('files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-blobs-'));
  folders.push(folder);
  return new FileBlobs(join(folder, 'blobs'));
});

it('overwrites a draft that a killed process left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-blobs-'));
  folders.push(folder);
  const name = 'ab'.repeat(16);
  await mkdir(join(folder, 'ab'));
  await writeFile(join(folder, 'ab', `${name}.draft`), 'half of something longer');
  const store = new FileBlobs(folder);
  async function* content() {
    yield Buffer.from('whole');
  }
  await store.put(name, content());
  expect([await readFile(join(folder, 'ab', name), 'utf8'), await readdir(join(folder, 'ab'))]).toEqual([
    'whole',
    [name],
  ]);
});
