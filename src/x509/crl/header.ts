import type { Buffer } from 'node:buffer';
import { ParseError } from '../parse-error.ts';

/** Position of an element in a buffer that need not contain the whole element. */
export interface ElementHeader {
  readonly tag: number;
  readonly contentStart: number;
  readonly end: number;
}

/** @limit tag and length of an element of a CRL, bytes -> the CRL is refused */
const LONGEST_HEADER = 6;

/**
 * Reads the header of the element at `at`; returns undefined if the buffer ends before the header does. `DerReader`
 * needs complete elements; this function is for those larger than the bytes in memory.
 */
export function readHeader(bytes: Buffer, at: number): ElementHeader | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) return undefined;
  if (first < 0x80) return { tag, contentStart: at + 2, end: at + 2 + first };
  const contentStart = at + 2 + (first & 0x7f);
  if (first === 0x80 || contentStart - at > LONGEST_HEADER) throw new ParseError('not DER: length out of bounds');
  if (contentStart > bytes.length) return undefined;
  const length = bytes.readUIntBE(at + 2, contentStart - at - 2);
  if (length < 0x80 || bytes[at + 2] === 0) throw new ParseError('not DER: length not in its shortest form');
  return { tag, contentStart, end: contentStart + length };
}
