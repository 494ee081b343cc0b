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
import { allowsSome, expectedPurposes, purposesText } from './key-purposes.ts';
import { type AcceptedPurposes, KEY_CERT_SIGN, keyUsageText } from './key-usage.ts';
import type { CheckName, Position } from './verdict.ts';

/** Rules for the certificates of a path. */
export interface Rules extends SignatureRules {
  /** Time of the check, milliseconds since 1970, whole seconds. */
  readonly time: number;
  readonly purposes: AcceptedPurposes;
  /** Bits that the key usage of the leaf must have, if it has that extension. */
  readonly leafUsage: number;
}

/** One condition on a certificate at its position. The texts are created only when they are read. */
export interface Check {
  readonly name: CheckName;
  holds(position: Position, rules: Rules): boolean;
  expected(position: Position, rules: Rules): string;
  actual(position: Position, rules: Rules): string;
}

/** Returns the first check that fails. */
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

/** A certificate can contain the years 0000 to 9999, which a Date can represent. */
function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Extensions that are enforced if they are critical (RFC 5280 §4.2). */
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
  // RFC 5280 §4.2.1.11 requires policy constraints to be critical; in NIST's test PKI some are not. They are enforced
  // in both cases, and refused if they are neither critical nor beside a policy that they could apply to.
  if (!critical) return oid !== ExtensionId.policyConstraints || (known.policies?.ids.size ?? 0) > 0;
  // RFC 5280 §4.2.1.4: critical policies are supported if their qualifiers are.
  if (oid === ExtensionId.certificatePolicies) return known.policies?.hasUnknownQualifier === false;
  // Go refuses an empty critical list of names too.
  if (oid === ExtensionId.subjectAltName) return (known.subjectAltName?.length ?? 0) > 0;
  // RFC 5280 §4.2.1.13 attaches no condition to them. Go and OpenSSL read them too, and fetch nothing.
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
  actual: ({ certificate }) => certificate.publicKey.fault ?? 'an accepted kind of key',
};

const extendedKeyUsage: Check = {
  name: 'extended-key-usage',
  holds: ({ certificate }, { purposes }) => allowsSome(certificate, purposes),
  expected: (_, { purposes }) => expectedPurposes(purposes),
  actual: ({ certificate }) => purposesText(certificate),
};

const leafKeyUsage: Check = {
  name: 'key-usage',
  holds: ({ certificate }, { leafUsage }) => {
    const usage = certificate.known.keyUsage;
    if (usage === undefined) return true;
    return (usage & leafUsage) === leafUsage && !claimsToSignCertificates(certificate, usage);
  },
  expected: (_, { leafUsage }) => `at least ${keyUsageText(leafUsage)}, and keyCertSign only for a CA`,
  actual: ({ certificate }) => usageText(certificate),
};

/** RFC 5280 §4.2.1.9: a certificate that is not a CA must not claim to sign certificates. */
function claimsToSignCertificates({ known }: Certificate, usage: number): boolean {
  return known.basicConstraints?.isCa === false && (usage & KEY_CERT_SIGN) !== 0;
}

function usageText({ known }: Certificate): string {
  return known.keyUsage === undefined ? 'no restriction' : keyUsageText(known.keyUsage);
}

const basicConstraints: Check = {
  name: 'basic-constraints',
  holds: ({ certificate }) => certificate.isCa,
  expected: () => 'a CA (basic constraints with cA)',
  actual: ({ certificate: { isCa, known } }) => {
    if (isCa) return 'a CA';
    return known.basicConstraints === undefined ? 'no basic constraints' : 'not a CA';
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
    return limit === undefined ? 'any number of CAs below' : `at most ${limit} CAs below`;
  },
  actual: ({ authoritiesBelow }) => `${authoritiesBelow} below`,
};

/** Check of a certificate whose signature counts: every one of a path except the anchor. */
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

/** Checks of the first certificate of a path. */
export const leafChecks: readonly Check[] = [...everyCertificate, leafKeyUsage];

/** Checks of every other certificate. */
export const issuerChecks: readonly Check[] = [...everyCertificate, basicConstraints, issuerKeyUsage, pathLength];
