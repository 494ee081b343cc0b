import { dottedFromOid, type Oid } from '../asn1/oid.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { areDistributionPoints } from '../certificate/distribution-points.ts';
import type { Extension } from '../certificate/extensions.ts';
import { ExtensionId } from '../certificate/known-extensions.ts';
import { ACCEPTED_KEYS } from '../certificate/public-key.ts';
import {
  ACCEPTED_SIGNATURES,
  algorithmName,
  isAcceptedAlgorithm,
  type SignatureRules,
} from '../certificate/signature.ts';
import { ANY_PURPOSE, KEY_CERT_SIGN, keyUsageText } from './key-usage.ts';
import type { CheckName, Position } from './verdict.ts';

/** What a path is held against. */
export interface Rules extends SignatureRules {
  /** Milliseconds since 1970, whole seconds. */
  readonly time: number;
  /** Undefined: any. */
  readonly purpose: Oid | undefined;
  /** Bits that the key usage of the leaf must have, where it has that extension. */
  readonly leafUsage: number;
}

/** One thing that must hold for a certificate at its place. The texts are only made when somebody wants to read them. */
export interface Check {
  readonly name: CheckName;
  holds(position: Position, rules: Rules): boolean;
  expected(position: Position, rules: Rules): string;
  actual(position: Position, rules: Rules): string;
}

/** The first of the checks that does not hold. */
export function failedCheck(checks: readonly Check[], position: Position, rules: Rules): Check | undefined {
  for (const check of checks) if (!check.holds(position, rules)) return check;
  return undefined;
}

const validity: Check = {
  name: 'validity',
  holds: ({ certificate }, { time }) => certificate.notBefore <= time && time <= certificate.notAfter,
  expected: (_, { time }) => `valid at ${isoTime(time)}`,
  actual: ({ certificate }, { time }) => {
    if (time < certificate.notBefore) return `not valid before ${isoTime(certificate.notBefore)}`;
    if (time > certificate.notAfter) return `expired at ${isoTime(certificate.notAfter)}`;
    return `valid from ${isoTime(certificate.notBefore)} to ${isoTime(certificate.notAfter)}`;
  },
};

/** The years 0000 to 9999, all that a certificate can say, are within what a Date can. */
function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Extensions whose meaning is enforced when they are critical (RFC 5280 §4.2). */
const ENFORCED: ReadonlySet<Oid> = new Set([
  ExtensionId.keyUsage,
  ExtensionId.basicConstraints,
  ExtensionId.nameConstraints,
  ExtensionId.policyMappings,
  ExtensionId.policyConstraints,
  ExtensionId.extendedKeyUsage,
  ExtensionId.inhibitAnyPolicy,
]);

const criticalExtensions: Check = {
  name: 'critical-extensions',
  holds: ({ certificate }) => {
    for (const extension of certificate.extensions.values()) {
      if (!isCriticalityRight(certificate, extension)) return false;
    }
    return true;
  },
  expected: () => 'no critical extension but those enforced here, and policy constraints critical',
  actual: ({ certificate }) => {
    const extensions = [...certificate.extensions.values()];
    const wrong = extensions.filter((extension) => !isCriticalityRight(certificate, extension));
    return wrong.map(criticalityText).join(', ') || 'none other';
  },
};

function isCriticalityRight({ known }: Certificate, { oid, critical, value }: Extension): boolean {
  // RFC 5280 §4.2.1.11 wants policy constraints critical; in NIST's test PKI some are not. Enforced they are either way,
  // and refused where they are neither critical nor beside any policy that they could be about.
  if (!critical) return oid !== ExtensionId.policyConstraints || (known.policies?.ids.size ?? 0) > 0;
  // RFC 5280 §4.2.1.4: critical policies are understood when their qualifiers are.
  if (oid === ExtensionId.certificatePolicies) return known.policies?.hasUnknownQualifier === false;
  // Critical names that are none: Go refuses them.
  if (oid === ExtensionId.subjectAltName) return (known.subjectAltName?.length ?? 0) > 0;
  // RFC 5280 §4.2.1.13 makes nothing depend on these. Go and OpenSSL read them, too, and fetch nothing.
  if (oid === ExtensionId.crlDistributionPoints) return areDistributionPoints(value);
  return ENFORCED.has(oid);
}

function criticalityText({ oid, critical }: Extension): string {
  return `${dottedFromOid(oid)} is ${critical ? '' : 'not '}critical`;
}

const serialNumber: Check = {
  name: 'serial-number',
  holds: ({ certificate }) => (certificate.serialBytes[0] ?? 0) < 0x80,
  expected: () => 'a serial number that is not negative',
  actual: ({ certificate }) => String(certificate.serialNumber),
};

const issuerName: Check = {
  name: 'issuer-name',
  holds: ({ certificate }) => !certificate.issuer.isEmpty,
  expected: () => 'an issuer with a name',
  actual: ({ certificate }) => (certificate.issuer.isEmpty ? 'an empty name' : certificate.issuer.toString()),
};

const publicKey: Check = {
  name: 'public-key',
  holds: ({ certificate }) => certificate.publicKey.fault === undefined,
  expected: () => ACCEPTED_KEYS,
  actual: ({ certificate }) => certificate.publicKey.fault ?? 'such a key',
};

const extendedKeyUsage: Check = {
  name: 'extended-key-usage',
  holds: ({ certificate }, { purpose }) => {
    const purposes = certificate.known.extendedKeyUsage;
    return purposes === undefined || purpose === undefined || purposes.has(purpose) || purposes.has(ANY_PURPOSE);
  },
  expected: (_, { purpose }) =>
    purpose === undefined ? 'any purpose' : `${dottedFromOid(purpose)}, any, or no restriction`,
  actual: ({ certificate }) => {
    const purposes = certificate.known.extendedKeyUsage;
    return purposes === undefined ? 'no restriction' : [...purposes].map(dottedFromOid).join(', ');
  },
};

const leafKeyUsage: Check = {
  name: 'key-usage',
  holds: ({ certificate }, { leafUsage }) => {
    const usage = certificate.known.keyUsage;
    if (usage === undefined) return true;
    return (usage & leafUsage) === leafUsage && !claimsToSignCertificates(certificate, usage);
  },
  expected: (_, { leafUsage }) => `${keyUsageText(leafUsage)} at least, and keyCertSign for an authority only`,
  actual: ({ certificate }) => usageText(certificate),
};

/** RFC 5280 §4.2.1.9: a certificate that says that it is no authority must not say that it signs certificates. */
function claimsToSignCertificates({ known }: Certificate, usage: number): boolean {
  return known.basicConstraints?.isCa === false && (usage & KEY_CERT_SIGN) !== 0;
}

function usageText({ known }: Certificate): string {
  return known.keyUsage === undefined ? 'no restriction' : keyUsageText(known.keyUsage);
}

const basicConstraints: Check = {
  name: 'basic-constraints',
  holds: ({ certificate }) => certificate.isCa,
  expected: () => 'a certificate authority (basic constraints with cA)',
  actual: ({ certificate: { isCa, known } }) => {
    if (isCa) return 'a certificate authority';
    return known.basicConstraints === undefined ? 'no basic constraints' : 'no certificate authority';
  },
};

const issuerKeyUsage: Check = {
  name: 'key-usage',
  holds: ({ certificate: { known } }) => known.keyUsage === undefined || (known.keyUsage & KEY_CERT_SIGN) !== 0,
  expected: () => 'keyCertSign, or no restriction',
  actual: ({ certificate }) => usageText(certificate),
};

const pathLength: Check = {
  name: 'path-length',
  holds: ({ certificate, authoritiesBelow }) =>
    authoritiesBelow <= (certificate.known.basicConstraints?.pathLength ?? authoritiesBelow),
  expected: ({ certificate }) => {
    const limit = certificate.known.basicConstraints?.pathLength;
    return limit === undefined ? 'any number of authorities below' : `at most ${limit} authorities below`;
  },
  actual: ({ authoritiesBelow }) => `${authoritiesBelow} below`,
};

/** Of a certificate whose signature counts: every one of a path but the anchor. */
export const signatureAlgorithm: Check = {
  name: 'signature-algorithm',
  holds: ({ certificate }, rules) => isAcceptedAlgorithm(certificate.signed.algorithm, rules),
  expected: (_, { allowSha1 }) => (allowSha1 ? `${ACCEPTED_SIGNATURES}, or SHA-1` : ACCEPTED_SIGNATURES),
  actual: ({ certificate }) => algorithmName(certificate.signed.algorithm),
};

const everyCertificate: readonly Check[] = [
  validity,
  criticalExtensions,
  serialNumber,
  issuerName,
  publicKey,
  extendedKeyUsage,
];

/** Of the first certificate of a path. */
export const leafChecks: readonly Check[] = [...everyCertificate, leafKeyUsage];

/** Of every other. */
export const issuerChecks: readonly Check[] = [...everyCertificate, basicConstraints, issuerKeyUsage, pathLength];
