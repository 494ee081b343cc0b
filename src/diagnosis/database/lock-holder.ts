import { readdir, readFile, readlink, stat } from 'node:fs/promises';

/** The process of this machine that has locked a file. */
export interface LockHolder {
  readonly pid: number;
  /** Command line of the process; empty if this user may not see it. */
  readonly command: string;
}

/** A line of the lock table such as `1: POSIX  ADVISORY  WRITE 1234 00:2f:56789 0 EOF` (proc_locks(5)). */
const LOCK = /^\d+: (?:POSIX|OFDLCK) +\S+ +(?:READ|WRITE) +(-?\d+) +[\da-f]+:[\da-f]+:(\d+) /;
/** Maximum length of the command line, characters. */
const SHOWN = 200;

/**
 * Reads the system's table of locks without taking a lock, so that a server may start meanwhile.
 * @returns undefined if no process holds the lock; null if this system has no such table
 */
export async function lockHolder(path: string): Promise<LockHolder | undefined | null> {
  const locks = await readFile('/proc/locks', 'utf8').catch(() => undefined);
  if (locks === undefined) return null;
  const inode = await stat(path, { bigint: true }).then(
    ({ ino }) => `${ino}`,
    () => undefined,
  );
  if (inode === undefined) return undefined;
  for (const line of locks.split('\n')) {
    const [, pid = '', number] = LOCK.exec(line) ?? [];
    if (number === inode && (await hasOpen(pid, path))) return { pid: Number(pid), command: await commandOf(pid) };
  }
  return undefined;
}

/**
 * Checks that the process has this file open, because a file of another disk may have the same inode number. Returns
 * true if the files of the process are not visible.
 */
async function hasOpen(pid: string, path: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const descriptors = await readdir(folder).catch(() => undefined);
  if (descriptors === undefined) return true;
  const targets = await Promise.all(descriptors.map((one) => readlink(`${folder}/${one}`).catch(() => '')));
  return targets.some((target) => target === path || target.endsWith(`/${path.split('/').at(-1)}`));
}

async function commandOf(pid: string): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.split('\0').filter(Boolean).slice(0, 3).join(' ').slice(0, SHOWN);
}
