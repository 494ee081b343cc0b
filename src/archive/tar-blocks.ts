import { Header, type HeaderData, Pax } from 'tar';

const BLOCK = 512;

/** Header of an entry of a tar archive. */
export interface TarHeader extends Pick<HeaderData, 'size' | 'type' | 'mode' | 'mtime'> {
  readonly path: string;
  /** Target of a link. */
  readonly linkpath?: string;
}

/** Returns the blocks of a header. A path that has no space in it is in an extended header before it. */
export function tarHeader({ path, linkpath, ...data }: TarHeader): Buffer {
  const names = linkpath === undefined ? { path } : { path, linkpath };
  const header = new Header({ ...data, ...names });
  const isCut = header.encode();
  const block = header.block ?? Buffer.alloc(BLOCK);
  return isCut ? Buffer.concat([new Pax(names).encode(), block]) : block;
}

/** Returns the zeros that fill the last block of a content. @param size of the content, bytes */
export const tarPadding = (size: number): Buffer => Buffer.alloc(-size & (BLOCK - 1));

/** Returns the end of an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK);
