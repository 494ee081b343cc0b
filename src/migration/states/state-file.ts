import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Upload } from '../../lib/http/http-request.ts';
import { type StateHead, StateHeadReader } from './state-head.ts';

/** Checksum of a state, with the members that place it in a history. */
export interface StateDigest extends StateHead {
  readonly md5: string;
}

/** A state on the local disk, where only the user can read it, until it is uploaded. */
export interface StateFile extends StateDigest {
  readonly upload: Upload;
}

/** Copies a state into a temporary file for the time of `use`: it is too large for memory, and sent after its MD5. */
export async function withStateFile<T>(
  source: AsyncIterable<Uint8Array>,
  use: (file: StateFile) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-import-'));
  try {
    const path = join(folder, 'state');
    return await use(await copied(source, path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copied(source: AsyncIterable<Uint8Array>, path: string): Promise<StateFile> {
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    const digest = await digestOf(source, async (bytes) => {
      await file.writeFile(bytes);
      size += bytes.length;
    });
    return { ...digest, upload: { size, open: () => createReadStream(path) } };
  } finally {
    await file.close();
  }
}

/** Reads a state to its end. @param onBytes called for each part of it */
export async function digestOf(
  source: AsyncIterable<Uint8Array>,
  onBytes: (bytes: Uint8Array) => Promise<void> = async () => {},
): Promise<StateDigest> {
  const digest = createHash('md5');
  const head = new StateHeadReader();
  for await (const bytes of source) {
    digest.update(bytes);
    head.write(bytes);
    await onBytes(bytes);
  }
  return { ...head.end(), md5: digest.digest('hex') };
}
