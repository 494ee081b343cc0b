import { createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise } from 'yauzl';
import { type FileLock, FileTaken, waitForLock } from '../../../lib/locks/file-lock.ts';
import { checkSignature, signingKeysOf } from '../../../openpgp/index.ts';
import type { EngineKind } from '../../job.ts';
import { isExecutable } from '../../programs.ts';
import { PROGRAMS } from '../kinds.ts';
import { fetched, fetchedInto } from './fetched.ts';
import { releaseOf, sumOf, VENDORS } from './releases.ts';
import { VENDOR_KEYS } from './vendor-keys.ts';

/** @limit download of an engine, ms -> the job fails */
const LONGEST_DOWNLOAD = 600_000;
/** @limit archive of an engine, bytes -> it is refused */
const MAX_ARCHIVE = 268_435_456;
/** @limit checksum file of a release, or its signature, bytes -> it is refused */
const MAX_SUMS = 1_048_576;
/** Folder of incomplete downloads, in the folder of engines. */
const INCOMING = '.incoming';

/** Mirrors and signing keys of engine downloads. Default: those of the vendors. */
export interface EngineDownloads {
  /** Base URLs of mirrors with the same layout as the vendors' servers. */
  readonly mirrors?: Partial<Readonly<Record<EngineKind, string>>>;
  /** Armored OpenPGP keys. */
  readonly keys?: Partial<Readonly<Record<EngineKind, string>>>;
  /** Timeout in ms. Default: ten minutes. */
  readonly longest?: number;
}

/** Returns the keys unchanged. @throws Error if none of them can sign */
export function checkedKeys(text: string): string {
  signingKeysOf(text);
  return text;
}

/** An engine to download to `FOLDER/KIND/VERSION/PROGRAM`. */
export interface EngineRequest {
  readonly kind: EngineKind;
  readonly version: string;
  readonly folder: string;
  readonly downloads: EngineDownloads;
}

/**
 * Downloads an engine unless another process has done so meanwhile: a lock allows one download at a time in a folder.
 * Verifies the signature of the checksums before it uses them, and moves the engine into place only when it is
 * complete.
 * @throws Error with the reason
 */
export async function download(wanted: EngineRequest, signal: AbortSignal): Promise<void> {
  const { kind, version, folder, downloads } = wanted;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(downloads.longest ?? LONGEST_DOWNLOAD)]);
  const target = join(folder, kind, version);
  // The folder of engines is shared; only the folder of incomplete downloads is private.
  mkdirSync(folder, { recursive: true });
  const incoming = join(folder, INCOMING, `${kind}-${version}`);
  const lock = await locked(`${incoming}.lock`, inTime);
  try {
    if (!isExecutable(join(target, PROGRAMS[kind]))) await fill(target, incoming, wanted, inTime);
  } finally {
    lock.release();
  }
}

async function locked(file: string, signal: AbortSignal): Promise<FileLock> {
  return await waitForLock(file, signal).catch((error) => {
    if (error instanceof FileTaken) throw new Error('timed out while another job downloads it');
    throw new Error(`${file} cannot be locked: ${error.message}`);
  });
}

async function fill(target: string, incoming: string, wanted: EngineRequest, signal: AbortSignal): Promise<void> {
  const content = join(incoming, 'content');
  // A killed process may have left an incomplete download.
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { mode: 0o700 });
  mkdirSync(content);
  try {
    await fetchProgram(wanted, incoming, join(content, PROGRAMS[wanted.kind]), signal);
    mkdirSync(dirname(target), { recursive: true });
    renameSync(content, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOTEMPTY' || code === 'EEXIST' ? new Error(`${target} is in the way: remove it`) : error;
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
}

async function fetchProgram(
  { kind, version, downloads: { mirrors, keys } }: EngineRequest,
  incoming: string,
  into: string,
  signal: AbortSignal,
): Promise<void> {
  const release = releaseOf(kind, version, mirrors?.[kind] ?? VENDORS[kind]);
  const sums = await fetched(release.sums, MAX_SUMS, signal);
  const signature = await fetched(release.signature, MAX_SUMS, signal);
  try {
    checkSignature(keys?.[kind] ?? VENDOR_KEYS[kind], sums, signature, Date.now() / 1000);
  } catch (cause) {
    throw new Error(`the signature of ${release.sums} is invalid: ${(cause as Error).message}`, { cause });
  }
  const wanted = sumOf(release.name, sums.toString());
  const zip = join(incoming, 'release.zip');
  const sum = await fetchedInto(zip, release.zip, MAX_ARCHIVE, signal);
  if (sum !== wanted) throw new Error(`${release.zip} has the SHA-256 ${sum}, expected ${wanted}`);
  await unzipProgram(zip, PROGRAMS[kind], into, signal).catch((cause) => {
    throw new Error(`${release.zip} cannot be unpacked: ${cause.message}`, { cause });
  });
}

/** @limit downloaded engine after unpacking, bytes -> it is refused */
const MAX_PROGRAM = 536_870_912;
/** @limit files in the archive of an engine, files -> it is refused */
const MAX_FILES = 1000;

const FILE_TYPE = 0o170000;
const REGULAR = [0, 0o100000];

/**
 * Extracts one program from a zip file and ignores other entries.
 * @param into path of the new file; must not exist
 * @throws Error for an invalid archive, names that lead out of it, or an archive that does not have the program exactly
 *   once
 */
async function unzipProgram(zip: string, name: string, into: string, signal: AbortSignal): Promise<void> {
  const archive = await openPromise(zip, { strictFileNames: true, autoClose: false });
  try {
    if (archive.entryCount > MAX_FILES) throw new Error(`the archive has more than ${MAX_FILES} files`);
    let found: Entry | undefined;
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName !== name) continue;
      if (found !== undefined) throw new Error(`the archive has ${name} twice`);
      found = entry;
    }
    if (found === undefined) throw new Error(`the archive has no ${name}`);
    check(found);
    // The stream fails if the entry is longer than its declared size.
    const content = await archive.openReadStreamPromise(found);
    await pipeline(content, createWriteStream(into, { mode: 0o755, flags: 'wx', flush: true }), { signal });
  } finally {
    archive.close();
  }
}

function check({ fileName, uncompressedSize, externalFileAttributes }: Entry): void {
  if (uncompressedSize > MAX_PROGRAM) throw new Error(`${fileName} is larger than ${MAX_PROGRAM} bytes`);
  const type = (externalFileAttributes >>> 16) & FILE_TYPE;
  if (!REGULAR.includes(type)) throw new Error(`${fileName} in the archive is not a regular file`);
}
