import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StorageConfig } from '../../config/index.ts';
import { type Finding, failure, skipped, success } from '../../lib/finding/finding.ts';
import { skewFinding } from '../../lib/finding/skew.ts';
import { spaceFinding } from '../disk/space.ts';
import { NotAvailable, type Subject } from '../model/check.ts';
import type { Site } from '../model/site.ts';

const MARKER_BYTES = 4_096;
const NAME_BYTES = 16;
const TIMEOUT_MS = 4_000;
/** `Date` has seconds. */
const SECOND = 1_000;

/** Where states lie. */
export const blobs: Subject = {
  name: 'states',
  checks: [
    { name: 'round trip', run: roundTrip },
    { name: 'space', run: space, isCheap: true },
    { name: 'clock', run: clockOfStore },
  ],
};

/** Something is stored, read and removed. */
async function roundTrip(site: Site): Promise<Finding> {
  const folder = folderOf(site.config.storage);
  // What makes the folder is `init`, or the first state.
  if (folder !== undefined && !existsSync(folder)) return skipped('nothing was stored yet', folder);
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
        return failure('what is read is not what was stored', 'see the disk or the bucket', folder);
    } finally {
      await store.delete(name);
    }
    return success(`stored, read and removed in ${Math.round(performance.now() - began)} ms`, folder);
  } catch (error) {
    if (error instanceof NotAvailable) throw error;
    const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    const advice =
      cause?.code === 'ENOSPC' ? 'make room on the disk' : 'see what is said of it: no state can be stored';
    return failure(
      cause?.code ?? 'it does not work',
      advice,
      [folder, message, cause?.message].filter(Boolean).join(': '),
    );
  }
}

/** In memory of its own, which is the store's then. */
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from(bytes);
}

async function space({ config: { storage } }: Site): Promise<Finding> {
  const folder = folderOf(storage);
  if (folder === undefined) return skipped('in a bucket');
  return spaceFinding(folder);
}

/** A bucket refuses what was signed at another time. */
async function clockOfStore({ config: { storage }, clock }: Site, signal: AbortSignal): Promise<Finding> {
  const { blobs: bucket } = storage;
  if (bucket === undefined) return skipped('in a folder');
  const address = bucket.endpoint ?? `https://s3.${bucket.region}.amazonaws.com`;
  const before = clock();
  const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const options = { method: 'HEAD', redirect: 'manual', signal: within } as const;
  const answer = await fetch(address, options).catch((error: Error) => error);
  if (answer instanceof Error) {
    const { code = answer.name } = (answer.cause ?? {}) as NodeJS.ErrnoException;
    return failure(`no answer: ${code}`, 'correct storage.blobs.endpoint, or see the way there', address);
  }
  const date = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(date)) return skipped('the store does not tell its time', address);
  return skewFinding(Math.max(0, before - date - SECOND, date - clock()), 'the store');
}

function folderOf(storage: StorageConfig): string | undefined {
  if (storage.blobs) return undefined;
  return storage.blobDirectory ?? (storage.type === 'sqlite' ? join(storage.directory, 'blobs') : undefined);
}
