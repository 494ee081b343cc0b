import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is to be unpacked: the name of a file, relative, and its bytes. */
export type Contents = ReadonlyMap<string, Uint8Array>;

/**
 * Writes what is not there: all of it the first time, what somebody has cleared away later. Several may do so at the same time, and
 * one may be killed meanwhile: a file is there whole, or not at all.
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
