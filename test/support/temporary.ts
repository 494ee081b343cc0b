import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** In-memory file system of Linux. */
const MEMORY = '/dev/shm';
/** Minimum free bytes there; a test run takes at most a few hundred megabytes. */
const ROOM = 2_147_483_648;
const PREFIX = 'lockkeeper-tests-';
const DAY = 86_400_000;

/**
 * Puts temporary files into memory if there is room: most of the time, tests wait until the disk has synced a database
 * that is deleted a second later. The server syncs as always, and a killed process loses nothing in memory either.
 */
export default function useMemory(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return undefined;
  for (const name of readdirSync(MEMORY)) if (isLeftOver(name)) remove(join(MEMORY, name));
  const folder = mkdtempSync(join(MEMORY, PREFIX));
  // A PostgreSQL that runs as another user must find its own folder in it.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    delete process.env.TMPDIR;
    remove(folder);
  };
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}

/** Returns whether the folder belongs to a test process that was killed. */
function isLeftOver(name: string): boolean {
  const stat = name.startsWith(PREFIX) ? statSync(join(MEMORY, name), { throwIfNoEntry: false }) : undefined;
  return stat !== undefined && Date.now() - stat.mtimeMs > DAY;
}
