import type { Buffer } from 'node:buffer';
import { type Oid, oidFromDotted, readOid } from '../asn1/oid.ts';
import { type DerReader, Tag } from '../asn1/reader.ts';
import { ParseError } from '../parse-error.ts';

/** An AlgorithmIdentifier (RFC 5280 §4.1.1.2). */
export interface Algorithm {
  readonly oid: Oid;
  /** DER of the parameters. */
  readonly parameters: Buffer | undefined;
  /** DER of the whole structure. */
  readonly der: Buffer;
}

/** Reads one AlgorithmIdentifier. */
export function readAlgorithm(reader: DerReader): Algorithm {
  reader.expect(Tag.sequence);
  const der = reader.element;
  const inner = reader.inner();
  const oid = readOid(inner);
  let parameters: Buffer | undefined;
  if (inner.more) {
    inner.next();
    parameters = inner.element;
  }
  inner.finish();
  return { oid, parameters, der };
}

/**
 * Throws if the algorithm in the signed content differs from the one beside the signature (RFC 5280 §4.1.1.2). The
 * comparison is byte by byte, so a NULL in only one of them is a difference.
 */
export function checkSameAlgorithm(inside: Algorithm, beside: Algorithm): void {
  if (inside.der.equals(beside.der)) return;
  throw new ParseError('the one in the signed content differs from the one beside the signature', [
    'signature algorithm',
  ]);
}

/** Returns whether the parameters are an ASN.1 NULL. */
export function isNull(parameters: Buffer | undefined): boolean {
  return parameters?.length === 2 && parameters[0] === Tag.null && parameters[1] === 0;
}

/** Identifiers that name both the algorithm of a key and that of a signature. */
export const KeyAlgorithm = {
  rsa: oidFromDotted('1.2.840.113549.1.1.1'),
  rsaPss: oidFromDotted('1.2.840.113549.1.1.10'),
  ec: oidFromDotted('1.2.840.10045.2.1'),
  ed25519: oidFromDotted('1.3.101.112'),
  ed448: oidFromDotted('1.3.101.113'),
} as const;
