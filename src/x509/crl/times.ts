import { Buffer } from 'node:buffer';
import { Tag } from '../asn1/reader.ts';
import { ParseError } from '../parse-error.ts';
import { readHead } from './head.ts';
import { readHeader } from './header.ts';

/** Times of issue and of the next update, milliseconds since 1970; undefined for a missing next update. */
export interface CrlTimes {
  readonly thisUpdate: number;
  readonly nextUpdate: number | undefined;
}

/**
 * Reads the times from the beginning of a CRL in DER, 32 KiB of it or all. The rest is not checked.
 * @throws ParseError
 */
export function crlTimes(beginning: Uint8Array): CrlTimes {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  const outer = readHeader(bytes, 0);
  if (outer === undefined || outer.tag !== Tag.sequence) throw new ParseError('not a certificate revocation list');
  const { thisUpdate, nextUpdate } = readHead(bytes, outer);
  return { thisUpdate, nextUpdate };
}
