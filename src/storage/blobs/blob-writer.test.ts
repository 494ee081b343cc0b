import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { blobDraftContract } from '../../../test/support/blobs/blob-draft-contract.ts';
import { databaseKinds } from '../../../test/support/databases.ts';
import { FileBlobs } from './file-blobs.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
afterAll(() => rmSync(folder, { recursive: true }));

let stores = 0;
for (const kind of databaseKinds) {
  blobDraftContract('files', kind, async () => new FileBlobs(join(folder, String(++stores))));
}
