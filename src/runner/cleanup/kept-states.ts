import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const KEPT = 'kept';
const SUFFIX = '.tfstate';
/** @limit state file of an engine that the agent keeps, bytes -> it is removed with the job, and the run says so */
const MAX_KEPT = 1_073_741_824;

/** A state on the agent's disk that the server does not have. */
export interface KeptState {
  readonly runId: string;
  readonly path: string;
}

/** Returns all kept states in the folder of an agent. */
export function keptStatesIn(base: string): KeptState[] {
  const folder = join(base, KEPT);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(SUFFIX)) : [];
  return names.map((name) => ({ runId: name.slice(0, -SUFFIX.length), path: join(folder, name) }));
}

/** Writes the bytes of a state to the folder of kept states. @returns the path */
export function keepBytes(base: string, runId: string, bytes: Uint8Array): string {
  return keepBy(base, runId, (begun) => writeFileSync(begun, bytes, { mode: 0o600, flush: true }));
}

/**
 * Moves a state file to the folder of kept states. Never reads it, because it may contain anything.
 * @returns the path; null if there is no file, or it is empty
 */
export function keepFile(base: string, runId: string, file: string): string | null {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size === 0 || found.size > MAX_KEPT) return null;
  return keepBy(base, runId, (begun) => move(file, begun));
}

function keepBy(base: string, runId: string, begin: (begun: string) => void): string {
  const folder = join(base, KEPT);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${runId}${SUFFIX}`);
  const begun = `${path}.begun`;
  try {
    begin(begun);
    renameSync(begun, path);
  } finally {
    rmSync(begun, { force: true });
  }
  return path;
}

/** Moves a file, also to another file system: the folder of kept states may be a separate volume. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
}
