import { Buffer } from 'node:buffer';
import { ParseError } from '../parse-error.ts';
import { type DerReader, Tag } from './reader.ts';

declare const oidBrand: unique symbol;
/** An object identifier: its content octets in hex. Compared as it is, turned into numbers only to be shown. */
export type Oid = string & { readonly [oidBrand]: true };

/**
 * Content octets. The longest in real use is about 20; without a bound, printing one is quadratic work.
 * @limit an object identifier, bytes -> the certificate, list or response cannot be read
 */
const MAX_OID_BYTES = 64;
/** @limit an object identifier in a request, characters -> 400 */
const MAX_DOTTED_LENGTH = 256;
const DOTTED = /^[0-2](?:\.(?:0|[1-9][0-9]*))+$/;

/** Passes one OBJECT IDENTIFIER: at most 64 bytes, each arc in its shortest form. */
export function readOid(reader: DerReader): Oid {
  reader.expect(Tag.oid);
  return oidInContent(reader);
}

/** The element last passed, read as an OBJECT IDENTIFIER whatever its tag (`[8] IMPLICIT`, registeredID). */
export function oidInContent(reader: DerReader): Oid {
  const { length } = reader;
  if (length === 0 || length > MAX_OID_BYTES) throw new ParseError(`object identifier of ${length} bytes`);
  let startsArc = true;
  for (let i = 0; i < length; i++) {
    const octet = reader.octet(i);
    if (startsArc && octet === 0x80) throw new ParseError('object identifier not in its shortest form');
    startsArc = octet < 0x80;
  }
  if (!startsArc) throw new ParseError('object identifier cut off');
  return reader.text('hex') as Oid;
}

/** From `1.2.840`; fails on anything else. */
export function oidFromDotted(dotted: string): Oid {
  if (dotted.length > MAX_DOTTED_LENGTH || !DOTTED.test(dotted)) throw new ParseError('not an object identifier');
  const [root = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt);
  if (root < 2n && second > 39n) throw new ParseError('not an object identifier');
  const bytes = [root * 40n + second, ...rest].flatMap(arcBytes);
  if (bytes.length > MAX_OID_BYTES) throw new ParseError(`object identifier of ${bytes.length} bytes`);
  return Buffer.from(bytes).toString('hex') as Oid;
}

/** From content octets, as they stand in a certificate. */
export function oidFromBytes(bytes: Uint8Array): Oid {
  return Buffer.from(bytes).toString('hex') as Oid;
}

/** `1.2.840` */
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
