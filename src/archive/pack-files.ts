import { gzipSync } from 'node:zlib';
import { tarEnd, tarHeader, tarPadding } from './tar-blocks.ts';

/** A small file from memory. */
export interface PackedFile {
  /** Path in the archive. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Attributes of all files of an archive. */
export interface PackedAttributes {
  /** Default: readable for all, writable for the owner. */
  readonly mode?: number;
  /** Default: 1970, so that equal files make equal bytes. */
  readonly modifiedAt?: Date;
}

/** Returns a tar.gz of files from memory. */
export function packFiles(
  files: readonly PackedFile[],
  { mode = 0o644, modifiedAt: mtime = new Date(0) }: PackedAttributes = {},
): Buffer {
  const blocks = files.flatMap(({ name: path, content: given }) => {
    const content = Buffer.from(given);
    return [tarHeader({ path, size: content.length, type: 'File', mode, mtime }), content, tarPadding(content.length)];
  });
  return gzipSync(Buffer.concat([...blocks, tarEnd()]));
}
