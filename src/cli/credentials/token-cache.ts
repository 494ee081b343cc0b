import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A token that a login gave, until it ends. */
export interface KeptToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** For how long it was given, milliseconds. */
  readonly ttl: number;
  readonly renewable: boolean;
}

const OTHERS = 0o077;
/** Windows knows no owners in numbers; there the folder of temporary files is the user's own. */
const UID = process.getuid?.();

/**
 * A folder that is gone after a reboot, best with the session: tokens are short-lived, and nothing long-lived is kept.
 * `LOCKKEEPER_RUNTIME_DIR` names another one.
 */
function folder(): string {
  const { LOCKKEEPER_RUNTIME_DIR: own, XDG_RUNTIME_DIR: ofSession } = process.env;
  if (own) return own;
  return ofSession ? join(ofSession, 'lockkeeper') : join(tmpdir(), `lockkeeper-${UID ?? 'user'}`);
}

/** The name of a file says nothing of what is in it. */
function fileOf(key: readonly string[]): string {
  return join(folder(), `${createHash('sha256').update(JSON.stringify(key)).digest('hex')}.json`);
}

/** What was kept under the key, when it has not ended and nobody else could have put it there. */
export function keptToken(key: readonly string[], now: number): KeptToken | undefined {
  try {
    if (!isPrivateFolder()) return undefined;
    const kept = JSON.parse(readOwn(fileOf(key))) as KeptToken;
    return typeof kept.token === 'string' && kept.expiresAt > now ? kept : undefined;
  } catch {
    // No file, or not ours: as if there were nothing.
    return undefined;
  }
}

/** Whether it could be kept; without a folder that is ours alone, nothing is. */
export function keepToken(key: readonly string[], token: KeptToken): boolean {
  try {
    makeFolder();
    if (!isPrivateFolder()) return false;
    const file = fileOf(key);
    const fresh = `${file}.${randomUUID()}`;
    writeFileSync(fresh, JSON.stringify(token), { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
    return true;
  } catch {
    return false;
  }
}

export function forgetToken(key: readonly string[]): void {
  rmSync(fileOf(key), { force: true });
}

/** Its parent has to be there: a folder that somebody else may have made on the way is not ours. */
function makeFolder(): void {
  try {
    mkdirSync(folder(), { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** In a shared folder somebody else may have been there first. */
function isPrivateFolder(): boolean {
  const found = lstatSync(folder());
  return found.isDirectory() && isOurs(found);
}

function isOurs({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return UID === undefined || (uid === UID && (mode & OTHERS) === 0);
}

function readOwn(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile() || !isOurs(found)) throw new Error('not a file of ours');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
