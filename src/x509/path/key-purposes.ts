import { dottedFromOid, type Oid } from '../asn1/oid.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { type AcceptedPurposes, ANY_PURPOSE } from './key-usage.ts';
import { type Position, refused, type Verdict } from './verdict.ts';

/** Returns the purposes to which a certificate is restricted. Undefined: it is not restricted. */
function restriction({ known: { extendedKeyUsage: purposes } }: Certificate): ReadonlySet<Oid> | undefined {
  return purposes?.has(ANY_PURPOSE) ? undefined : purposes;
}

/** Returns whether a certificate allows at least one of the purposes (RFC 5280 §4.2.1.12). */
export function allowsSome(certificate: Certificate, accepted: AcceptedPurposes): boolean {
  const purposes = restriction(certificate);
  if (purposes === undefined || accepted === undefined) return true;
  for (const purpose of purposes) if (accepted.has(purpose)) return true;
  return false;
}

/**
 * Returns why a path allows none of the purposes: one purpose must be allowed by every certificate, the anchor
 * included. A CA with extended key usages restricts the certificates below it.
 */
export function purposeRefusal(path: readonly Position[], accepted: AcceptedPurposes): Verdict | undefined {
  if (accepted === undefined) return undefined;
  let common: readonly Oid[] | undefined;
  for (const position of path) {
    const purposes = restriction(position.certificate);
    if (purposes === undefined) continue;
    common = (common ?? [...purposes].filter((purpose) => accepted.has(purpose))).filter((one) => purposes.has(one));
    if (common.length > 0) continue;
    const expected = `${expectedPurposes(accepted)}, and one purpose for the whole path`;
    return refused('extended-key-usage', position, expected, purposesText(position.certificate));
  }
  return undefined;
}

/** @limit accepted key purposes listed in a verdict, purposes -> the others are omitted */
const MAX_LISTED = 5;

export function expectedPurposes(accepted: AcceptedPurposes): string {
  if (accepted === undefined) return 'any purpose';
  const listed = [...accepted.keys()].slice(0, MAX_LISTED).map(dottedFromOid).join(', ');
  return `${listed}${accepted.size > MAX_LISTED ? ' …' : ''}, any, or no restriction`;
}

export function purposesText({ known: { extendedKeyUsage: purposes } }: Certificate): string {
  return purposes === undefined ? 'no restriction' : [...purposes].map(dottedFromOid).join(', ');
}
