import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseMemory } from '../../lib/chunks.ts';
import { blobsUnavailable } from '../errors.ts';
import { syncFolder } from '../sync-folder.ts';
import { type BlobListing, BlobMissing, type BlobStore } from './blob-store.ts';
import { WatchedSource } from './watched-source.ts';

/** The first digits of a name are its folder, so that folders stay small. */
const FOLDER_DIGITS = 2;
const FOLDERS = 16 ** FOLDER_DIGITS;
const READ_BYTES = 131_072;
/** Size of one write, while the next part is prepared. */
const WRITE_BYTES = 524_288;
const DRAFT = '.draft';
/**
 * Bytes that a readiness check writes: some blocks of any file system.
 * @limit bytes that a readiness check writes to the blob folder, bytes -> at most once a second
 */
const BLOB_CHECK_BYTES = 32_768;
const CHECK_FOLDER = '00';
const CHECK_NAME_BYTES = 15;

/** Blobs as files that only their owner can read: `<directory>/ab/abcdef…`. Several nodes may share the directory. */
export class FileBlobs implements BlobStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** @throws AppError `unavailable` if the disk is full or fails */
  async put(name: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#path(name);
    const draft = path + DRAFT;
    const watched = new WatchedSource(source);
    try {
      await this.#makeFolder(name);
      await writeDurably(draft, watched);
      await rename(draft, path);
      await syncFolder(path);
    } catch (error) {
      await Promise.all([draft, path].map(removeIfPossible));
      throw watched.failure ? watched.failure.error : blobsUnavailable(error);
    }
  }

  /**
   * Stores a small blob and removes it.
   * @throws like `put`
   */
  async check(): Promise<void> {
    const name = CHECK_FOLDER + randomBytes(CHECK_NAME_BYTES).toString('hex');
    await this.put(name, checkContent());
    await this.delete(name);
  }

  async *get(name: string): AsyncGenerator<Uint8Array> {
    const file = await open(this.#path(name)).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === 'ENOENT'
        ? new BlobMissing('a blob is missing from its store', { cause })
        : blobsUnavailable(cause);
    });
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    try {
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, READ_BYTES).catch(unavailable);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }

  async delete(name: string): Promise<void> {
    await rm(this.#path(name), { force: true }).catch(unavailable);
  }

  /** A page is one folder. */
  async list(from: string | undefined): Promise<BlobListing> {
    const folder = Number.parseInt(from ?? '0', 16);
    const path = join(this.#directory, folderName(folder));
    const names = await readdir(path).catch(none);
    const found = await Promise.all(names.map((name) => modified(path, name)));
    return {
      blobs: found.filter((blob) => blob !== undefined),
      next: folder + 1 < FOLDERS ? folderName(folder + 1) : undefined,
    };
  }

  #path(name: string): string {
    return join(this.#directory, name.slice(0, FOLDER_DIGITS), name);
  }

  async #makeFolder(name: string): Promise<void> {
    const folder = join(this.#directory, name.slice(0, FOLDER_DIGITS));
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made === undefined) return;
    await syncFolder(folder);
    await syncFolder(this.#directory);
  }
}

function unavailable(error: unknown): never {
  throw blobsUnavailable(error);
}

/** A file that cannot be removed is swept later, because no row refers to it. */
function removeIfPossible(path: string): Promise<void> {
  return rm(path, { force: true }).catch(() => {});
}

async function* checkContent(): AsyncGenerator<Uint8Array> {
  yield randomBytes(BLOB_CHECK_BYTES);
}

const folderName = (folder: number) => folder.toString(16).padStart(FOLDER_DIGITS, '0');

async function writeDurably(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  // A name is generated once. An existing draft is left from a restore that was killed and now runs again.
  const file = await open(path, 'w', 0o600);
  let writing = Promise.resolve();
  try {
    for await (const parts of gathered(source)) {
      await writing;
      writing = writeAll(file, parts);
      // The next await receives the error; this handler avoids an unhandled rejection until then.
      writing.catch(() => {});
    }
    await writing;
    await file.datasync();
  } finally {
    await writing.catch(() => {});
    await file.close();
  }
}

async function* gathered(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source) {
    parts.push(part);
    length += part.length;
    if (length < WRITE_BYTES) continue;
    yield parts;
    parts = [];
    length = 0;
  }
  if (length > 0) yield parts;
}

async function writeAll(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(parts);
  let at = 0;
  for (const part of parts) {
    // The system may write fewer bytes than requested.
    const rest = part.subarray(Math.max(0, bytesWritten - at));
    at += part.length;
    for (let written = 0; written < rest.length; ) written += (await file.write(rest, written)).bytesWritten;
  }
  for (const part of parts) releaseMemory(part);
}

/** Another process may remove the file at the same time. */
async function modified(folder: string, name: string) {
  const found = await stat(join(folder, name)).catch(none);
  return Array.isArray(found) ? undefined : { name, modifiedAt: found.mtimeMs };
}

function none(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
