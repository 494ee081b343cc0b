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

/** A cached token of a login. */
export interface KeptToken {
  readonly token: string;
  /** Expiry, milliseconds since 1970. */
  readonly expiresAt: number;
  /** Lifetime at issue, milliseconds. */
  readonly ttl: number;
  readonly renewable: boolean;
}

const OTHERS = 0o077;
/** Windows has no numeric owners; its folder for temporary files belongs to the user. */
const UID = process.getuid?.();

/**
 * Returns a folder that does not survive a reboot, or preferably the session, because it holds only short-lived tokens.
 * `LOCKKEEPER_RUNTIME_DIR` overrides it.
 */
function folder(): string {
  const { LOCKKEEPER_RUNTIME_DIR: own, XDG_RUNTIME_DIR: ofSession } = process.env;
  if (own) return own;
  return ofSession ? join(ofSession, 'lockkeeper') : join(tmpdir(), `lockkeeper-${UID ?? 'user'}`);
}

/** File names are hashes, so that they reveal nothing. */
function fileOf(key: readonly string[]): string {
  return join(folder(), `${createHash('sha256').update(JSON.stringify(key)).digest('hex')}.json`);
}

/** Returns the cached token if it has not expired and only this user can have written the file. */
export function keptToken(key: readonly string[], now: number): KeptToken | undefined {
  try {
    if (!isPrivateFolder()) return undefined;
    const kept = JSON.parse(readOwn(fileOf(key))) as KeptToken;
    return typeof kept.token === 'string' && kept.expiresAt > now ? kept : undefined;
  } catch {
    // A missing or foreign file counts as no token.
    return undefined;
  }
}

/** Returns whether the token was stored. Without a private folder nothing is stored. */
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

/** The parent folder must exist. Creating it would race with other users. */
function makeFolder(): void {
  try {
    mkdirSync(folder(), { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** In a shared folder another user may have created the file first. */
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
    if (!found.isFile() || !isOurs(found)) throw new Error('the file belongs to another user');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
