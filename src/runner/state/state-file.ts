import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { MAX_JOB_STATE } from '../../lib/job/limits.ts';

/** What it is called, in its folder. */
export const STATE_FILE = 'terraform.tfstate';

/** A whole version of a state, as the engine wrote it. */
export interface StateVersion {
  readonly serial: number;
  readonly lineage: string;
  readonly bytes: Buffer;
}

/**
 * The state in a file that an engine may be writing. Nothing is followed that a program in its sandbox could put there instead.
 * @returns null where there is none, or none that is whole
 */
export async function readStateFile(path: string): Promise<StateVersion | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const before = await file.stat();
    if (!before.isFile() || before.size === 0 || before.size > MAX_JOB_STATE) return null;
    const bytes = Buffer.alloc(before.size);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    const after = await file.stat();
    // Engines write over the file: what changed meanwhile may be two halves.
    if (bytesRead !== bytes.length || after.size !== before.size || after.mtimeMs !== before.mtimeMs) return null;
    return parsed(bytes);
  } finally {
    await file.close();
  }
}

function parsed(bytes: Buffer): StateVersion | null {
  try {
    const { serial, lineage } = JSON.parse(bytes.toString());
    if (!Number.isInteger(serial) || typeof lineage !== 'string') return null;
    return { serial, lineage, bytes };
  } catch {
    return null;
  }
}
