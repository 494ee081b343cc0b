import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the executable may keep what it is made of. */
export interface Place {
  /** Whoever owns it could put something else there, so it has to be ours, or one in which each may touch their own alone (`/tmp`). */
  readonly base: string;
  /** Below it, or the same: for us alone. */
  readonly folder: string;
}

const STICKY = 0o1000;
const BY_OTHERS = 0o022;

/** The best first: a service's own (`CacheDirectory=` of systemd), a user's (the XDG base directory specification), one that is cleared at times. */
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

/** Users whom no system knows, as containers have them, have none. */
function homeOf(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Makes the folder of a place. @throws Error for one that others may write into, or we may not */
export function takeFolder({ base, folder }: Place, uid: number): string {
  const { mode, uid: owner } = statSync(base);
  if ((mode & STICKY) === 0 && (owner !== uid || (mode & BY_OTHERS) !== 0))
    throw new Error(`${base} is not ours alone`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOurs(folder, uid)) throw new Error(`${folder} is not ours alone`);
  return folder;
}

/** Whether nobody else, but for root, can have put anything into a folder. */
export function isOurs(folder: string, uid: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === uid && (found.mode & BY_OTHERS) === 0;
}
