import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StorageConfig } from '../../config/index.ts';
import { type Finding, failure, skipped, success } from '../../lib/finding/finding.ts';
import { skewFinding } from '../../lib/finding/skew.ts';
import { FetchError } from '../../lib/http/fetch-error.ts';
import { HttpClient } from '../../lib/http/http-client.ts';
import { spaceFinding } from '../disk/space.ts';
import { NotAvailable, type Subject } from '../model/check.ts';
import type { Site } from '../model/site.ts';

const MARKER_BYTES = 4_096;
const NAME_BYTES = 16;
const TIMEOUT_MS = 4_000;
const client = new HttpClient({ connections: 'process' });
/** Resolution of the header `Date`. */
const SECOND = 1_000;

/** The store of states, plans and logs. */
export const blobs: Subject = {
  name: 'states',
  checks: [
    { name: 'round trip', run: roundTrip },
    { name: 'space', run: space, isCheap: true },
    { name: 'clock', run: clockOfStore },
  ],
};

/** Stores, reads and removes a blob. */
async function roundTrip(site: Site): Promise<Finding> {
  const folder = folderOf(site.config.storage);
  // The folder may be missing: `init` or the first blob creates it.
  if (folder !== undefined && !existsSync(folder)) return skipped('nothing has been stored yet', folder);
  const name = randomBytes(NAME_BYTES).toString('hex');
  const marker = randomBytes(MARKER_BYTES);
  const began = performance.now();
  try {
    const store = await site.blobs();
    await store.put(name, once(marker));
    try {
      const parts: Buffer[] = [];
      for await (const part of store.get(name)) parts.push(Buffer.from(part));
      if (!Buffer.concat(parts).equals(marker))
        return failure('the stored bytes differ when they are read', 'check the disk or the bucket', folder);
    } finally {
      await store.delete(name);
    }
    return success(`stored, read and removed in ${Math.round(performance.now() - began)} ms`, folder);
  } catch (error) {
    if (error instanceof NotAvailable) throw error;
    const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    const advice =
      cause?.code === 'ENOSPC' ? 'free space on the disk' : 'fix the reported problem: no state can be stored';
    return failure(
      cause?.code ?? 'the store does not work',
      advice,
      [folder, message, cause?.message].filter(Boolean).join(': '),
    );
  }
}

/** Yields the bytes in memory of their own, because the store takes ownership of it. */
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from(bytes);
}

async function space({ config: { storage } }: Site): Promise<Finding> {
  const folder = folderOf(storage);
  if (folder === undefined) return skipped('in a bucket');
  return spaceFinding(folder);
}

/** A bucket refuses requests that are signed with a wrong time. */
async function clockOfStore({ config: { storage }, clock }: Site, signal: AbortSignal): Promise<Finding> {
  const { blobs: bucket } = storage;
  if (bucket === undefined) return skipped('in a folder');
  const address = bucket.endpoint ?? `https://s3.${bucket.region}.amazonaws.com`;
  const before = clock();
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: 0 };
  const answer = await client.send(new URL(address), { method: 'HEAD', limits, signal }).catch((error) => error);
  if (answer instanceof FetchError)
    return failure(
      `no answer: ${answer.kind === 'network' ? answer.code : 'TimeoutError'}`,
      'correct storage.blobs.endpoint, or check the network to it',
      address,
    );
  answer.discard();
  const date = Date.parse(answer.headers.date ?? '');
  if (Number.isNaN(date)) return skipped('the store sends no time', address);
  return skewFinding(Math.max(0, before - date - SECOND, date - clock()), 'the store');
}

function folderOf(storage: StorageConfig): string | undefined {
  if (storage.blobs) return undefined;
  return storage.blobDirectory ?? (storage.type === 'sqlite' ? join(storage.directory, 'blobs') : undefined);
}
