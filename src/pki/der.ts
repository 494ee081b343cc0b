/** DER encoder for tests. It encodes any value, valid or not, so that a test controls every byte. */

const UTC_TIME_ENDS = 2050;

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

/** Encodes one element: tag, shortest length, and the contents in order. */
export function tlv(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => tlv(0x30, ...items);
export const set = (...items: readonly Uint8Array[]): Buffer => tlv(0x31, ...items);
export const octetString = (content: Uint8Array): Buffer => tlv(0x04, content);
export const nullValue = (): Buffer => tlv(0x05);
export const boolean = (value: boolean): Buffer => tlv(0x01, Buffer.from([value ? 0xff : 0]));
export const utf8String = (text: string): Buffer => tlv(0x0c, Buffer.from(text, 'utf8'));
export const printableString = (text: string): Buffer => tlv(0x13, Buffer.from(text, 'latin1'));
export const ia5String = (text: string): Buffer => tlv(0x16, Buffer.from(text, 'latin1'));
/** `[number] { items }`, constructed. */
export const constructed = (number: number, ...items: readonly Uint8Array[]): Buffer => tlv(0xa0 | number, ...items);
/** `[number] content`, primitive. */
export const primitive = (number: number, content: Uint8Array): Buffer => tlv(0x80 | number, content);

/** BIT STRING; `unusedBits` of the last byte do not count. */
export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return tlv(0x03, Buffer.from([unusedBits]), bytes);
}

/** BIT STRING with these bits set (0 is the first), without trailing zero bits, as DER writes named bits. */
export function namedBits(bits: readonly number[]): Buffer {
  if (bits.length === 0) return bitString(Buffer.alloc(0));
  const last = Math.max(...bits);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return bitString(bytes, 7 - (last & 7));
}

/** INTEGER of any size, two's complement, shortest form. */
export function integer(value: bigint | number): Buffer {
  const number = BigInt(value);
  let size = 1;
  while (BigInt.asIntN(size * 8, number) !== number) size += 1;
  const hex = BigInt.asUintN(size * 8, number).toString(16);
  return tlv(0x02, Buffer.from(hex.padStart(size * 2, '0'), 'hex'));
}

function base128(value: bigint): number[] {
  const bytes = [Number(value & 0x7fn)];
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn) | 0x80);
  return bytes;
}

/** OBJECT IDENTIFIER from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt);
  return tlv(0x06, Buffer.from([first * 40n + second, ...rest].flatMap(base128)));
}

/** UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280 §4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:T]/g, '');
  const short = date.getUTCFullYear() >= 1950 && date.getUTCFullYear() < UTC_TIME_ENDS;
  return short ? tlv(0x17, Buffer.from(digits.slice(2))) : tlv(0x18, Buffer.from(digits));
}

/** A PEM block (RFC 7468). */
export function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
