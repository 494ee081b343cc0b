import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from './command.ts';

/** With a user namespace anybody may mount; without one, root may. */
const WAYS = [
  ['unshare', '--user', '--map-root-user', '--mount'],
  ['unshare', '--mount'],
];
const MOUNT = 'mount -t tmpfs -o size="$2" tmpfs "$1"';

/** How to have disks of a few megabytes here; undefined where that is not allowed. */
export const smallDisks = WAYS.find(([file = '', ...args]) => {
  const { status } = spawnSync(file, [...args, 'sh', '-c', MOUNT, 'sh', '/mnt', '1m'], { stdio: 'ignore' });
  return status === 0;
});

/** A disk of its own at a folder, as a process sees it that runs there. */
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

/** Fills a disk of that process to its last byte; returns what empties it again. */
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
