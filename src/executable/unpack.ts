import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files to unpack: relative name and bytes. */
export type Contents = ReadonlyMap<string, Uint8Array>;

/**
 * Writes the files that are missing: all of them the first time, deleted ones later. Writes are atomic, so that several
 * processes may unpack at the same time, and a killed one leaves no partial file.
 */
export function unpack(contents: Contents, into: string): void {
  for (const [name, bytes] of contents) {
    const path = join(into, name);
    if (statSync(path, { throwIfNoEntry: false })?.size === bytes.length) continue;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${randomUUID()}`;
    writeFileSync(unfinished, bytes, { mode: 0o600 });
    renameSync(unfinished, path);
  }
}
