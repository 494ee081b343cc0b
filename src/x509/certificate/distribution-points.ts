import type { Buffer } from 'node:buffer';
import { readItems } from '../asn1/list.ts';
import { constructedTag, DerReader, primitiveTag, Tag } from '../asn1/reader.ts';
import { readNamedBits } from '../asn1/values.ts';
import { ParseError } from '../parse-error.ts';
import { readGeneralName } from './general-name.ts';

/** @limit CRL distribution points in a critical extension, and names of each, entries -> the certificate is refused */
const MAX_POINTS = 256;

/**
 * Returns whether a CRL distribution points extension (RFC 5280 §4.2.1.13) has only points with full names or CRL
 * issuers. Nothing is fetched from them: the administrator configures the CRLs.
 */
export function areDistributionPoints(value: Buffer): boolean {
  try {
    const list = DerReader.inside(value, Tag.sequence);
    readItems(list, { items: 'points', most: MAX_POINTS, mayBeEmpty: true }, () => passPoint(list.enter(Tag.sequence)));
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}

function passPoint(point: DerReader): void {
  const hasName = point.skipOptional(constructedTag(0));
  if (hasName) {
    const name = point.inner();
    passNames(name.enter(constructedTag(0)));
    name.finish();
  }
  if (point.at(primitiveTag(1))) readNamedBits(point, primitiveTag(1));
  const hasIssuer = point.skipOptional(constructedTag(2));
  if (hasIssuer) passNames(point.inner());
  point.finish();
  if (!hasName && !hasIssuer) throw new ParseError('a point without a name');
}

function passNames(list: DerReader): void {
  readItems(list, { items: 'names', most: MAX_POINTS, mayBeEmpty: false }, () => readGeneralName(list));
}
