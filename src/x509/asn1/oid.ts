import { Buffer } from 'node:buffer';
import { ParseError } from '../parse-error.ts';
import { type DerReader, Tag } from './reader.ts';

declare const oidBrand: unique symbol;
/**
 * An object identifier: its content octets in hex. Comparisons use this form; it is converted to numbers only for
 * display.
 */
export type Oid = string & { readonly [oidBrand]: true };

/**
 * Maximum length of the content octets. Real identifiers have at most about 20; formatting takes quadratic time.
 * @limit an object identifier, bytes -> the certificate, CRL or response cannot be read
 */
const MAX_OID_BYTES = 64;
/** @limit an object identifier in a request, characters -> 400 */
const MAX_DOTTED_LENGTH = 256;
const DOTTED = /^[0-2](?:\.(?:0|[1-9][0-9]*))+$/;

/** Reads one OBJECT IDENTIFIER: at most 64 bytes, each arc in its shortest form. */
export function readOid(reader: DerReader): Oid {
  reader.expect(Tag.oid);
  return oidInContent(reader);
}

/** Reads the current element as an OBJECT IDENTIFIER, whatever its tag (`[8] IMPLICIT`, registeredID). */
export function oidInContent(reader: DerReader): Oid {
  const { length } = reader;
  if (length === 0 || length > MAX_OID_BYTES) throw new ParseError(`object identifier of ${length} bytes`);
  let startsArc = true;
  for (let i = 0; i < length; i++) {
    const octet = reader.octet(i);
    if (startsArc && octet === 0x80) throw new ParseError('object identifier not in its shortest form');
    startsArc = octet < 0x80;
  }
  if (!startsArc) throw new ParseError('object identifier is truncated');
  return reader.text('hex') as Oid;
}

/** Parses dotted form such as `1.2.840`; throws for any other text. */
export function oidFromDotted(dotted: string): Oid {
  if (dotted.length > MAX_DOTTED_LENGTH || !DOTTED.test(dotted)) throw new ParseError('not an object identifier');
  const [root = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt);
  if (root < 2n && second > 39n) throw new ParseError('not an object identifier');
  const bytes = [root * 40n + second, ...rest].flatMap(arcBytes);
  if (bytes.length > MAX_OID_BYTES) throw new ParseError(`object identifier of ${bytes.length} bytes`);
  return Buffer.from(bytes).toString('hex') as Oid;
}

/** Parses dotted form; returns undefined for any other text. */
export function oidOf(text: string): Oid | undefined {
  try {
    return oidFromDotted(text);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** Converts content octets as they are in a certificate. */
export function oidFromBytes(bytes: Uint8Array): Oid {
  return Buffer.from(bytes).toString('hex') as Oid;
}

/** Returns the dotted form, such as `1.2.840`. */
export function dottedFromOid(oid: Oid): string {
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const octet of Buffer.from(oid, 'hex')) {
    arc = (arc << 7n) | BigInt(octet & 0x7f);
    if (octet >= 0x80) continue;
    arcs.push(arc);
    arc = 0n;
  }
  const [first = 0n, ...rest] = arcs;
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...rest].join('.');
}

function arcBytes(arc: bigint): number[] {
  const bytes = [Number(arc & 0x7fn)];
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn) | 0x80);
  return bytes;
}
