import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from './command.ts';

/** Any user may mount in a user namespace. Without one, only root may. */
const WAYS = [
  ['unshare', '--user', '--map-root-user', '--mount'],
  ['unshare', '--mount'],
];
const MOUNT = 'mount -t tmpfs -o size="$2" tmpfs "$1"';

/** Command prefix for small private disks; undefined if mounting is not permitted. */
export const smallDisks = WAYS.find(([file = '', ...args]) => {
  const { status } = spawnSync(file, [...args, 'sh', '-c', MOUNT, 'sh', '/mnt', '1m'], { stdio: 'ignore' });
  return status === 0;
});

/** A private disk at a folder, visible only to the process. */
export interface SmallDisk {
  readonly directory: string;
  readonly bytes: number;
}

/**
 * Runs `lockkeeper init`, then `lockkeeper serve`, with small disks in a private mount namespace. They vanish with the
 * process. The output of `init` is in `<folder>/init`.
 */
export function serveOnSmallDisks(folder: string, config: string, disks: readonly SmallDisk[]): Command {
  for (const { directory } of disks) mkdirSync(directory, { recursive: true });
  const mounts = disks.map(({ directory, bytes }) => `mount -t tmpfs -o size=${bytes} tmpfs '${directory}'`);
  const script = [...mounts, `"$1" "$2" init --config "$5" > '${join(folder, 'init')}'`, 'exec "$@"'].join(' && ');
  const within = [...(smallDisks ?? []), 'sh', '-c', script, 'sh'];
  return new Command(['serve', '--config', config], {}, undefined, within);
}

/** Fills a disk of that process to its last byte; returns a function that empties it again. */
export function fill({ process }: Command, { directory, bytes }: SmallDisk): () => void {
  const file = join(`/proc/${process.pid}/root`, directory, 'filler');
  for (let size = bytes; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size, 1), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  return () => rmSync(file);
}
