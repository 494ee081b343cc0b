/** A packet of OpenPGP data (RFC 9580 §4). */
export interface Packet {
  readonly tag: number;
  readonly body: Buffer;
}

/** Reads bytes from the front of a buffer. @throws RangeError at the end of the data */
export class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Number of bytes read. */
  get taken(): number {
    return this.#at;
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new RangeError('the OpenPGP data is truncated');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /**
   * Reads an unsigned big-endian integer.
   * @param width number of bytes
   */
  number(width: number): number {
    return this.take(width).readUIntBE(0, width);
  }

  /** Reads a multiprecision integer (RFC 9580 §3.2), without leading zeros. */
  integer(): Buffer {
    return this.take(Math.ceil(this.number(2) / 8));
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at);
  }
}

/** Splits data into packets. @throws Error for invalid data */
export function packetsOf(bytes: Buffer): Packet[] {
  const reader = new Reader(bytes);
  const packets: Packet[] = [];
  while (!reader.isAtEnd) packets.push(next(reader));
  return packets;
}

function next(reader: Reader): Packet {
  const head = reader.number(1);
  if ((head & 0x80) === 0) throw new Error('not OpenPGP data');
  const isNew = (head & 0x40) !== 0;
  const tag = isNew ? head & 0x3f : (head >> 2) & 0x0f;
  const length = isNew ? lengthOf(reader, 224) : oldLength(reader, head & 0x03);
  return { tag, body: reader.take(length) };
}

/**
 * Reads a length.
 * @param beyond first octets below this start a two-octet length; 255 starts a four-octet length
 */
export function lengthOf(reader: Reader, beyond: number): number {
  const first = reader.number(1);
  if (first < 192) return first;
  if (first < beyond) return ((first - 192) << 8) + reader.number(1) + 192;
  if (first === 255) return reader.number(4);
  throw new Error('OpenPGP data with partial lengths is not supported');
}

function oldLength(reader: Reader, type: number): number {
  if (type === 3) throw new Error('OpenPGP data with an indeterminate length is not supported');
  return reader.number(2 ** type);
}

/** Decodes all armored blocks of a text, and joins them. Returns unarmored bytes unchanged. */
export function unarmored(bytes: Buffer): Buffer {
  const blocks = [...armoredBlocks(bytes.toString('latin1'))];
  return blocks.length === 0 ? bytes : Buffer.concat(blocks.map(contentOf));
}

/** Finds blocks up to the first that does not end. One regular expression would need quadratic time for hostile texts. */
function* armoredBlocks(text: string): Generator<string> {
  const begin = /-----BEGIN PGP ([A-Z ]+)-----/g;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const last = `-----END PGP ${match[1]}-----`;
    const end = text.indexOf(last, begin.lastIndex);
    if (end < 0) return;
    yield text.slice(begin.lastIndex, end);
    begin.lastIndex = end + last.length;
  }
}

/** The headers end with an empty line; the checksum starts with an equals sign. */
function contentOf(block: string): Buffer {
  const lines = block.split('\n').map((line) => line.trim());
  const start = lines.indexOf('', 1);
  const data = lines.slice(start + 1).filter((line) => !line.startsWith('='));
  return Buffer.from(data.join(''), 'base64');
}
