/** Offset of the word that tells a tar archive, bytes. */
const TAR_MAGIC = 257;
const ADVICE = 'Upload a tar.gz archive: `tar czf configuration.tar.gz -C FOLDER .`';
const FORMS: readonly (readonly [start: Buffer, name: string])[] = [
  [Buffer.from('PK'), 'a ZIP archive'],
  [Buffer.from('BZh'), 'compressed with bzip2'],
  [Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), 'compressed with xz'],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'compressed with zstd'],
  [Buffer.from([0x37, 0x7a, 0xbc, 0xaf]), 'a 7-Zip archive'],
  [Buffer.from('Rar!'), 'a RAR archive'],
];
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Says what bytes begin that begin no gzip; undefined for what may be one. @param start the first bytes of a file */
export function otherForm(start: Buffer): string | undefined {
  if (GZIP.subarray(0, start.length).equals(start.subarray(0, GZIP.length))) return undefined;
  const name = FORMS.find(([magic]) => start.subarray(0, magic.length).equals(magic))?.[1] ?? otherwise(start);
  return `it is ${name}. ${ADVICE}`;
}

/**
 * Says what is in a gzip that no tar begins with. The parser of tar would decompress a second gzip by itself: in the serving thread,
 * and without bounds. One byte tells, since no name begins with it.
 * @param start the first bytes behind the gzip
 */
export function innerForm(start: Buffer): string | undefined {
  return start[0] === GZIP[0] ? `it is compressed twice. ${ADVICE}` : undefined;
}

function otherwise(start: Buffer): string {
  return start.toString('latin1', TAR_MAGIC, TAR_MAGIC + 5) === 'ustar'
    ? 'a tar archive that is not compressed'
    : 'no tar.gz archive';
}
