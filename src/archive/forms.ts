/** Offset of the magic word of a tar archive, bytes. */
const TAR_MAGIC = 257;
const FORMS: readonly (readonly [start: Buffer, name: string])[] = [
  [Buffer.from('PK'), 'a ZIP archive'],
  [Buffer.from('BZh'), 'compressed with bzip2'],
  [Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), 'compressed with xz'],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'compressed with zstd'],
  [Buffer.from([0x37, 0x7a, 0xbc, 0xaf]), 'a 7-Zip archive'],
  [Buffer.from('Rar!'), 'a RAR archive'],
];
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Names the format of a file that is not gzip. Returns undefined if it may be gzip.
 * @param start the first bytes of the file
 */
export function otherForm(start: Buffer): string | undefined {
  if (GZIP.subarray(0, start.length).equals(start.subarray(0, GZIP.length))) return undefined;
  return FORMS.find(([magic]) => start.subarray(0, magic.length).equals(magic))?.[1] ?? otherwise(start);
}

/**
 * Names the content of a gzip that is not a tar archive. Without this check the tar parser would decompress a second
 * gzip layer by itself, in the serving thread and without limits. One byte is enough, because no name starts with it.
 * @param start the first decompressed bytes
 */
export function innerForm(start: Buffer): string | undefined {
  return start[0] === GZIP[0] ? 'compressed twice' : undefined;
}

function otherwise(start: Buffer): string {
  return start.toString('latin1', TAR_MAGIC, TAR_MAGIC + 5) === 'ustar'
    ? 'an uncompressed tar archive'
    : 'not a tar.gz archive';
}
