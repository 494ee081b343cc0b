import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { S3Blobs } from '../../../src/storage/index.ts';
import { blobDraftContract } from '../../support/blobs/blob-draft-contract.ts';
import { blobStoreContract } from '../../support/blobs/blob-store-contract.ts';
import { S3Server } from './server.ts';

const PART = 5 * 1_048_576;
let server: S3Server;
let prefixes = 0;
beforeAll(async () => {
  server = await S3Server.start();
  await server.makeBucket('states');
});
afterAll(() => server.stop());

const empty = () => S3Blobs.open(server.settings('states', `test-${++prefixes}/`));
async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** The last part is sent at the end of the stream. */
async function arrived(bytes: number): Promise<void> {
  const whole = Math.floor(bytes / PART) * PART;
  await expect.poll(() => server.uploadedBytes('states', `test-${prefixes}/`), { timeout: 20_000 }).toBe(whole);
}

blobStoreContract('a bucket', empty, arrived);
blobDraftContract('a bucket', 'sqlite', empty);

it('never replaces an object, since the server supports conditional writes', async () => {
  const [store, name] = [await empty(), randomBytes(16).toString('hex')];
  await store.put(name, once(Buffer.from('first')));
  await expect(store.put(name, once(Buffer.from('second')))).rejects.toMatchObject({ kind: 'unavailable' });
  expect((await server.bytes('states', `test-${prefixes}/${name}`)).toString()).toBe('first');
});

it('lists more objects than one answer contains', { timeout: 60_000 }, async () => {
  const store = await empty();
  const names = new Set(Array.from({ length: 1003 }, () => randomBytes(16).toString('hex')));
  for (const part of chunks([...names], 50))
    await Promise.all(part.map((name) => store.put(name, once(Buffer.from('x')))));
  const found: string[] = [];
  let from: string | undefined;
  do {
    const { blobs, next } = await store.list(from);
    expect(blobs.length).toBeLessThanOrEqual(1000);
    found.push(...blobs.map(({ name }) => name));
    from = next;
  } while (from !== undefined);
  expect(found.toSorted()).toEqual([...names].toSorted());
});

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}
