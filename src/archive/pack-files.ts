import { gzipSync } from 'node:zlib';
import { Header, type HeaderData, Pax } from 'tar';

const BLOCK = 512;

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
    const padding = Buffer.alloc(-content.length & (BLOCK - 1));
    return [headerOf({ path, size: content.length, type: 'File', mode, mtime }), content, padding];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

/** A path that has no space in the header is in an extended header before it. */
function headerOf(data: HeaderData & { readonly path: string }): Buffer {
  const header = new Header(data);
  const isCut = header.encode();
  const block = header.block ?? Buffer.alloc(BLOCK);
  return isCut ? Buffer.concat([new Pax({ path: data.path }).encode(), block]) : block;
}
