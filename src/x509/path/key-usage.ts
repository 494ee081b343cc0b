import { type Oid, oidFromDotted } from '../asn1/oid.ts';

/** Key usages in the order of their bits (RFC 5280 §4.2.1.3). */
const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const;

export type KeyUsage = (typeof KEY_USAGES)[number];

export const KEY_CERT_SIGN = keyUsageBits(['keyCertSign']);

/** Returns the bits as in `KnownExtensions#keyUsage`. */
export function keyUsageBits(usages: readonly KeyUsage[]): number {
  return usages.reduce((bits, usage) => bits | (1 << KEY_USAGES.indexOf(usage)), 0);
}

/** Returns a text such as `keyCertSign, cRLSign`. */
export function keyUsageText(bits: number): string {
  return KEY_USAGES.filter((_, bit) => bits & (1 << bit)).join(', ') || 'none';
}

/** Key purposes (RFC 5280 §4.2.1.12), dotted. */
export const KeyPurpose = {
  any: '2.5.29.37.0',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
} as const;

export const ANY_PURPOSE: Oid = oidFromDotted(KeyPurpose.any);

/**
 * Accepted key purposes: a path needs one of them that every certificate allows, by name, by `any`, or by having no
 * extended key usage. Undefined: any purpose.
 */
export type AcceptedPurposes = Pick<ReadonlySet<Oid>, 'has' | 'keys' | 'size'> | undefined;
