import type { Buffer } from 'node:buffer';
import { ParseError } from '../parse-error.ts';
import { type DerReader, Tag } from './reader.ts';

/**
 * Maximum content octets: four times what the largest accepted RSA modulus needs, and far beyond any serial number.
 * @limit an INTEGER, bytes -> the data cannot be read
 */
const MAX_INTEGER_BYTES = 4096;
const UTC_TIME_LENGTH = 'YYMMDDhhmmssZ'.length;
const GENERALIZED_TIME_LENGTH = 'YYYYMMDDhhmmssZ'.length;
const ZULU = 0x5a;

export function readBoolean(reader: DerReader): boolean {
  reader.expect(Tag.boolean);
  const value = reader.length === 1 ? reader.octet(0) : -1;
  if (value !== 0 && value !== 0xff) throw new ParseError('malformed BOOLEAN');
  return value === 0xff;
}

/** Reads the content of one INTEGER of any sign and size: two's complement, big-endian, in its shortest form. */
export function readInteger(reader: DerReader): Buffer {
  reader.expect(Tag.integer);
  checkInteger(reader);
  return reader.content;
}

/** Reads a count: an INTEGER that is not negative. Values above 32 bits become `Number.MAX_SAFE_INTEGER`. */
export function readCount(reader: DerReader, tag: number = Tag.integer): number {
  reader.expect(tag);
  checkInteger(reader);
  if (reader.octet(0) & 0x80) throw new ParseError('negative INTEGER instead of a count');
  if (reader.length > 4) return Number.MAX_SAFE_INTEGER;
  let value = 0;
  for (let i = 0; i < reader.length; i++) value = value * 256 + reader.octet(i);
  return value;
}

function checkInteger(reader: DerReader): void {
  const { length } = reader;
  if (length === 0 || length > MAX_INTEGER_BYTES) throw new ParseError(`INTEGER of ${length} bytes`);
  if (length === 1) return;
  const [first, second] = [reader.octet(0), reader.octet(1)];
  const redundant = (first === 0 && second < 0x80) || (first === 0xff && second >= 0x80);
  if (redundant) throw new ParseError('INTEGER not in its shortest form');
}

/** Reads one BIT STRING that is a whole number of bytes: a key or a signature. */
export function readBitString(reader: DerReader): Buffer {
  reader.expect(Tag.bitString);
  if (reader.length === 0 || reader.octet(0) !== 0) throw new ParseError('BIT STRING is not a whole number of bytes');
  return reader.content.subarray(1);
}

/**
 * Returns the number of unused bits of the current element, a BIT STRING. In DER unused bits are zero (X.690 §11.2.1).
 */
export function readUnusedBits(reader: DerReader): number {
  const { length } = reader;
  const unused = length === 0 ? 8 : reader.octet(0);
  if (unused > 7 || (length === 1 && unused > 0)) throw new ParseError('malformed BIT STRING');
  if (unused > 0 && reader.octet(length - 1) & ((1 << unused) - 1)) {
    throw new ParseError('BIT STRING with unused bits that are not zero');
  }
  return unused;
}

/** Number of bits of a result, more than any list of named bits in X.509 has. */
const NAMED_BITS = 31;

/**
 * Reads one BIT STRING of named bits: bit `n` of the result is named bit `n`. Trailing zero bits, which DER forbids
 * (X.690 §11.2.2), are accepted, because CAs write them. Bits after the 31st have no name and are ignored.
 */
export function readNamedBits(reader: DerReader, tag: number = Tag.bitString): number {
  reader.expect(tag);
  const count = Math.min((reader.length - 1) * 8 - readUnusedBits(reader), NAMED_BITS);
  const isSet = (n: number) => (reader.octet(1 + (n >> 3)) & (0x80 >> (n & 7))) !== 0;
  let bits = 0;
  for (let n = 0; n < count; n++) if (isSet(n)) bits |= 1 << n;
  return bits;
}

/**
 * Reads one UTCTime or GeneralizedTime in the only form that RFC 5280 §4.1.2.5 allows (seconds, `Z`, no fraction), in
 * milliseconds since 1970. A GeneralizedTime before 2050 is accepted, because CAs write it.
 */
export function readTime(reader: DerReader): number {
  const tag = reader.next();
  if (tag === Tag.utcTime && reader.length === UTC_TIME_LENGTH) {
    const year = twoDigits(reader, 0);
    return instant(reader, year < 50 ? 2000 + year : 1900 + year, 2);
  }
  if (tag === Tag.generalizedTime && reader.length === GENERALIZED_TIME_LENGTH) {
    return instant(reader, twoDigits(reader, 0) * 100 + twoDigits(reader, 2), 4);
  }
  throw new ParseError('malformed time');
}

/** Reads `MMDDhhmmssZ` from `offset` on. */
function instant(reader: DerReader, year: number, offset: number): number {
  const month = twoDigits(reader, offset);
  const day = twoDigits(reader, offset + 2);
  const hour = twoDigits(reader, offset + 4);
  const minute = twoDigits(reader, offset + 6);
  const second = twoDigits(reader, offset + 8);
  const inRange = month >= 1 && month <= 12 && day >= 1 && hour < 24 && minute < 60 && second < 60;
  if (!inRange || day > daysIn(year, month) || reader.octet(offset + 10) !== ZULU)
    throw new ParseError('malformed time');
  // Date.UTC maps the years 0 to 99 to 1900 to 1999. The calendar repeats after four hundred years.
  return Date.UTC(year + 400, month - 1, day, hour, minute, second) - FOUR_CENTURIES;
}

const FOUR_CENTURIES = 146_097 * 86_400_000;

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function twoDigits(reader: DerReader, offset: number): number {
  const tens = reader.octet(offset) - 0x30;
  const ones = reader.octet(offset + 1) - 0x30;
  if (tens < 0 || tens > 9 || ones < 0 || ones > 9) throw new ParseError('malformed time');
  return tens * 10 + ones;
}
