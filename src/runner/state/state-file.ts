import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { MAX_JOB_STATE } from '../../lib/job/limits.ts';
import { JsonScanner, type JsonVisitor } from '../../lib/long-json/json-scanner.ts';

/** Number of bytes in each read of the file. */
const PIECE = 1_048_576;
/** @limit serial or lineage of a state, bytes of JSON -> the state counts as incomplete */
const MAX_FACT = 1_024;

/** Name of the state file, in its folder. */
export const STATE_FILE = 'terraform.tfstate';

/** A complete version of a state, as the engine wrote it. */
export interface StateVersion {
  readonly serial: number;
  readonly lineage: string;
  readonly bytes: Buffer;
}

/**
 * Why a file contains no usable state: it is missing or empty; it is not a complete state; it is larger than
 * `MAX_JOB_STATE`.
 */
export type NoState = 'absent' | 'incomplete' | 'too large';

/**
 * Reads the state in a file that an engine may be writing. Follows no links, because a program in the sandbox could
 * replace the file. Needs no more memory than the size of the file, for any JSON.
 */
export async function readStateFile(path: string): Promise<StateVersion | NoState> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : 'incomplete';
  }
  try {
    const before = await file.stat();
    if (!before.isFile()) return 'incomplete';
    // Engines create an empty file to lock it.
    if (before.size === 0) return 'absent';
    if (before.size > MAX_JOB_STATE) return 'too large';
    const read = await versionIn(file, before.size);
    const after = await file.stat();
    // Engines overwrite the file in place: if it changed during the read, the bytes may mix two versions.
    return read !== null && after.size === before.size && after.mtimeMs === before.mtimeMs ? read : 'incomplete';
  } finally {
    await file.close();
  }
}

async function versionIn(file: FileHandle, size: number): Promise<StateVersion | null> {
  const bytes = Buffer.allocUnsafe(size);
  const facts = new StateFacts();
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(bytes, at, Math.min(PIECE, size - at), at);
    if (bytesRead === 0) return null;
    facts.feed(bytes.subarray(at, at + bytesRead));
    at += bytesRead;
  }
  const found = facts.end();
  return found && { ...found, bytes };
}

/** Finds the serial and the lineage of a state in a stream. */
class StateFacts implements JsonVisitor {
  readonly #scanner = new JsonScanner(this, MAX_FACT);
  readonly #found = new Map<string, unknown>();

  feed(bytes: Uint8Array): void {
    this.#scanner.feed(bytes);
  }

  /** Returns serial and lineage; null if the bytes are not a complete state. */
  end(): { readonly serial: number; readonly lineage: string } | null {
    const [serial, lineage] = [this.#found.get('serial'), this.#found.get('lineage')];
    if (!this.#scanner.end() || !Number.isInteger(serial) || typeof lineage !== 'string') return null;
    return { serial: serial as number, lineage };
  }

  want([key]: readonly string[]): 'enter' | 'capture' | 'skip' {
    if (key === undefined) return 'enter';
    return key === 'serial' || key === 'lineage' ? 'capture' : 'skip';
  }

  captured([key = '']: readonly string[], json = 'null'): void {
    try {
      this.#found.set(key, JSON.parse(json));
    } catch {
      this.#found.delete(key);
    }
  }

  part(): void {}

  left(): void {}
}
