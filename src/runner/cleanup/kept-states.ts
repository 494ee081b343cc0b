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
/** @limit a file that an engine left as its state and that the agent keeps, bytes -> it is removed with the job, and the run says that nothing is kept */
const MAX_KEPT = 1_073_741_824;

/** A state that an agent keeps on its disk, because the server does not have it. */
export interface KeptState {
  readonly runId: string;
  readonly path: string;
}

/** All states that an agent keeps in its folder, until somebody removes them. */
export function keptStatesIn(base: string): KeptState[] {
  const folder = join(base, KEPT);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(SUFFIX)) : [];
  return names.map((name) => ({ runId: name.slice(0, -SUFFIX.length), path: join(folder, name) }));
}

/** Keeps the bytes of a state. @returns where */
export function keepBytes(base: string, runId: string, bytes: Uint8Array): string {
  return keepBy(base, runId, (begun) => writeFileSync(begun, bytes, { mode: 0o600, flush: true }));
}

/**
 * Keeps what an engine left as its state: the file is moved and never read, since anything may be in it.
 * @returns where; null where there is no file, or an empty one
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

/** Also from one file system to another: what is kept may be on a volume of its own. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
}
