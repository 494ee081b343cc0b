import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { blobStoreContract } from '../../../test/support/blob-store-contract.ts';
import { FileBlobs } from './file-blobs.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

blobStoreContract('files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-blobs-'));
  folders.push(folder);
  return new FileBlobs(join(folder, 'blobs'));
});
