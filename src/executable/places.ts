import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder in which the executable may unpack its files. */
export interface Place {
  /**
   * The parent folder. Its owner could replace what is below it, so it must belong to this user, or let users change
   * only their own files (`/tmp`).
   */
  readonly base: string;
  /** The folder itself or one below `base`, accessible only to this user. */
  readonly folder: string;
}

const STICKY = 0o1000;
const BY_OTHERS = 0o022;

/**
 * Returns the candidates, best first: the folder of a service (`CacheDirectory=` of systemd), the user's cache (XDG
 * base directory specification), and a temporary folder.
 */
export function placesOf(
  { CACHE_DIRECTORY, XDG_CACHE_HOME }: NodeJS.ProcessEnv,
  uid: number,
  [home, temporary] = [homeOf(), tmpdir()],
): readonly Place[] {
  const [service] = CACHE_DIRECTORY?.split(':') ?? [];
  return [
    ...(service ? [{ base: service, folder: service }] : []),
    ...(XDG_CACHE_HOME ? [{ base: XDG_CACHE_HOME, folder: join(XDG_CACHE_HOME, 'lockkeeper') }] : []),
    ...(home ? [{ base: home, folder: join(home, '.cache/lockkeeper') }] : []),
    { base: temporary, folder: join(temporary, `lockkeeper-${uid}`) },
  ];
}

/** Returns undefined for a user without an account, as containers have. */
function homeOf(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/**
 * Creates the folder of a place.
 * @throws Error if other users can write to it, or this user cannot
 */
export function takeFolder({ base, folder }: Place, uid: number): string {
  const { mode, uid: owner } = statSync(base);
  if ((mode & STICKY) === 0 && (owner !== uid || (mode & BY_OTHERS) !== 0))
    throw new Error(`${base} can be changed by other users`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOurs(folder, uid)) throw new Error(`${folder} can be changed by other users`);
  return folder;
}

/** Returns whether only this user and root can have put files into a folder. */
export function isOurs(folder: string, uid: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === uid && (found.mode & BY_OTHERS) === 0;
}
