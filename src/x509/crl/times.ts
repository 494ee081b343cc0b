import { Buffer } from 'node:buffer';
import { Tag } from '../asn1/reader.ts';
import { ParseError } from '../parse-error.ts';
import { readHead } from './head.ts';
import { readHeader } from './header.ts';

/** When a list was made, and when the next one comes, milliseconds since 1970; undefined where it does not say. */
export interface CrlTimes {
  readonly thisUpdate: number;
  readonly nextUpdate: number | undefined;
}

/**
 * Of a list in DER of which only the beginning is there, 32 KiB of it or all. Says nothing about the rest.
 * @throws ParseError
 */
export function crlTimes(beginning: Uint8Array): CrlTimes {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  const outer = readHeader(bytes, 0);
  if (outer === undefined || outer.tag !== Tag.sequence) throw new ParseError('not a certificate revocation list');
  const { thisUpdate, nextUpdate } = readHead(bytes, outer);
  return { thisUpdate, nextUpdate };
}
