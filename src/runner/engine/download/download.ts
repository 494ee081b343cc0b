import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FileLock, FileTaken, waitForLock } from '../../../lib/locks/file-lock.ts';
import type { EngineKind } from '../../job.ts';
import { isExecutable } from '../../programs.ts';
import { PROGRAMS } from '../kinds.ts';
import { signingKeysOf } from '../openpgp/keys.ts';
import { checkSignature } from '../openpgp/verify.ts';
import { unzipProgram } from './binary.ts';
import { fetched, fetchedInto } from './fetched.ts';
import { releaseOf, sumOf, VENDORS } from './releases.ts';
import { VENDOR_KEYS } from './vendor-keys.ts';

/** @limit how long an engine is downloaded, ms -> the job fails */
const LONGEST_DOWNLOAD = 600_000;
/** @limit the archive of an engine, bytes -> it is refused */
const MAX_ARCHIVE = 268_435_456;
/** @limit the checksums of a release, or the signature of them, bytes -> they are refused */
const MAX_SUMS = 1_048_576;
/** In the folder of engines: what is on its way. */
const INCOMING = '.incoming';

/** From where engines are downloaded, and whose signature is believed. What is not said is the vendor's own. */
export interface EngineDownloads {
  /** Base addresses of mirrors that are laid out as the vendors' servers are. */
  readonly mirrors?: Partial<Readonly<Record<EngineKind, string>>>;
  /** Armored OpenPGP keys. */
  readonly keys?: Partial<Readonly<Record<EngineKind, string>>>;
  /** How long one may take, ms; ten minutes if nothing is said. */
  readonly longest?: number;
}

/** The keys as they are, if there is one that may sign. @throws Error if not */
export function checkedKeys(text: string): string {
  signingKeysOf(text);
  return text;
}

/** What is to be downloaded, and where to: `FOLDER/KIND/VERSION/PROGRAM`. */
export interface EngineRequest {
  readonly kind: EngineKind;
  readonly version: string;
  readonly folder: string;
  readonly downloads: EngineDownloads;
}

/**
 * Downloads an engine, unless somebody else has done so meanwhile: one at a time in a folder, whoever works in it. The signature of
 * the checksums is checked before anything is believed, and the engine is put in its place when it is whole.
 * @throws Error with the reason
 */
export async function download(wanted: EngineRequest, signal: AbortSignal): Promise<void> {
  const { kind, version, folder, downloads } = wanted;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(downloads.longest ?? LONGEST_DOWNLOAD)]);
  const target = join(folder, kind, version);
  // Only what is on its way is for us alone.
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
    if (error instanceof FileTaken) throw new Error('another job has downloaded it for too long');
    throw new Error(`${file} cannot be locked: ${error.message}`);
  });
}

async function fill(target: string, incoming: string, wanted: EngineRequest, signal: AbortSignal): Promise<void> {
  const content = join(incoming, 'content');
  // Of somebody who was killed.
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
    throw new Error(`the signature of ${release.sums} is not right: ${(cause as Error).message}`, { cause });
  }
  const wanted = sumOf(release.name, sums.toString());
  const zip = join(incoming, 'release.zip');
  const sum = await fetchedInto(zip, release.zip, MAX_ARCHIVE, signal);
  if (sum !== wanted) throw new Error(`${release.zip} has the SHA-256 ${sum}, and should have ${wanted}`);
  await unzipProgram(zip, PROGRAMS[kind], into, signal).catch((cause) => {
    throw new Error(`${release.zip} cannot be unpacked: ${cause.message}`, { cause });
  });
}
