import { readdir, readFile, readlink, stat } from 'node:fs/promises';

/** Who has locked a file: a process of this machine. */
export interface LockHolder {
  readonly pid: number;
  /** What it was started as; empty where this user may not see it. */
  readonly command: string;
}

/** `1: POSIX  ADVISORY  WRITE 1234 00:2f:56789 0 EOF` (proc_locks(5)). */
const LOCK = /^\d+: (?:POSIX|OFDLCK) +\S+ +(?:READ|WRITE) +(-?\d+) +[\da-f]+:[\da-f]+:(\d+) /;
/** Characters. */
const SHOWN = 200;

/**
 * Looks at the locks of the system, and takes none: a server that starts meanwhile would not get it.
 * @returns undefined where nobody has it; null where this system does not tell
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

/** Another disk may have a file of the same number. What may not be seen is believed. */
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
