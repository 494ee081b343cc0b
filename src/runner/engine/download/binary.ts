import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise } from 'yauzl';

/** @limit downloaded engine after unpacking, bytes -> it is refused */
const MAX_PROGRAM = 536_870_912;
/** @limit files in the archive of an engine, files -> it is refused */
const MAX_FILES = 1000;

const FILE_TYPE = 0o170000;
const REGULAR = [0, 0o100000];

/**
 * Extracts one program from a zip file and ignores other entries.
 * @param into path of the new file; must not exist
 * @throws Error for an invalid archive, names that lead out of it, or an archive that does not have the program exactly
 *   once
 */
export async function unzipProgram(zip: string, name: string, into: string, signal: AbortSignal): Promise<void> {
  const archive = await openPromise(zip, { strictFileNames: true, autoClose: false });
  try {
    if (archive.entryCount > MAX_FILES) throw new Error(`the archive has more than ${MAX_FILES} files`);
    let found: Entry | undefined;
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName !== name) continue;
      if (found !== undefined) throw new Error(`the archive has ${name} twice`);
      found = entry;
    }
    if (found === undefined) throw new Error(`the archive has no ${name}`);
    check(found);
    // The stream fails if the entry is longer than its declared size.
    const content = await archive.openReadStreamPromise(found);
    await pipeline(content, createWriteStream(into, { mode: 0o755, flags: 'wx', flush: true }), { signal });
  } finally {
    archive.close();
  }
}

function check({ fileName, uncompressedSize, externalFileAttributes }: Entry): void {
  if (uncompressedSize > MAX_PROGRAM) throw new Error(`${fileName} is larger than ${MAX_PROGRAM} bytes`);
  const type = (externalFileAttributes >>> 16) & FILE_TYPE;
  if (!REGULAR.includes(type)) throw new Error(`${fileName} in the archive is not a regular file`);
}
