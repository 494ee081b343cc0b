import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A disk in memory, as Linux has it. */
const MEMORY = '/dev/shm';
/** Bytes that have to be free there; a run takes a few hundred megabytes of them at most. */
const ROOM = 2_147_483_648;
const PREFIX = 'lockkeeper-tests-';
const DAY = 86_400_000;

/**
 * The run has its temporary files in memory where there is room: what tests wait for most is that the disk has synced a database
 * that is deleted a second later. The server syncs as it always does; a killed process loses nothing here either.
 */
export default function useMemory(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return undefined;
  for (const name of readdirSync(MEMORY)) if (isLeftOver(name)) remove(join(MEMORY, name));
  const folder = mkdtempSync(join(MEMORY, PREFIX));
  // A PostgreSQL that runs as another user finds its own folder in it.
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

/** True for the folder of a test process that was killed. */
function isLeftOver(name: string): boolean {
  const stat = name.startsWith(PREFIX) ? statSync(join(MEMORY, name), { throwIfNoEntry: false }) : undefined;
  return stat !== undefined && Date.now() - stat.mtimeMs > DAY;
}
