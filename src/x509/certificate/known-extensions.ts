import type { Buffer } from 'node:buffer';
import { readItems } from '../asn1/list.ts';
import { type Oid, oidFromDotted, readOid } from '../asn1/oid.ts';
import { DerReader, primitiveTag, Tag } from '../asn1/reader.ts';
import { readBoolean, readCount, readNamedBits } from '../asn1/values.ts';
import { inField } from '../parse-error.ts';
import type { Extension } from './extensions.ts';
import { type GeneralName, readGeneralNames } from './general-name.ts';
import { type NameConstraints, readNameConstraints } from './name-constraints.ts';
import {
  type Policies,
  type PolicyConstraints,
  type PolicyMapping,
  readPolicies,
  readPolicyConstraints,
  readPolicyMappings,
} from './policies.ts';

/** Extensions that are decoded with the certificate. */
export const ExtensionId = {
  subjectKeyIdentifier: oidFromDotted('2.5.29.14'),
  keyUsage: oidFromDotted('2.5.29.15'),
  subjectAltName: oidFromDotted('2.5.29.17'),
  basicConstraints: oidFromDotted('2.5.29.19'),
  nameConstraints: oidFromDotted('2.5.29.30'),
  crlDistributionPoints: oidFromDotted('2.5.29.31'),
  certificatePolicies: oidFromDotted('2.5.29.32'),
  policyMappings: oidFromDotted('2.5.29.33'),
  authorityKeyIdentifier: oidFromDotted('2.5.29.35'),
  policyConstraints: oidFromDotted('2.5.29.36'),
  extendedKeyUsage: oidFromDotted('2.5.29.37'),
  inhibitAnyPolicy: oidFromDotted('2.5.29.54'),
} as const;

/** @limit extended key usages, purposes -> the certificate cannot be read */
const MAX_KEY_PURPOSES = 256;

/** BasicConstraints (RFC 5280 §4.2.1.9). */
export interface BasicConstraints {
  readonly isCa: boolean;
  /** Maximum number of CAs below this one; undefined for no limit or no CA. */
  readonly pathLength: number | undefined;
}

/** Decoded values of extensions; undefined for missing ones. */
export interface KnownExtensions {
  /** Subject key identifier, in hex. */
  readonly subjectKeyIdentifier: string | undefined;
  readonly authorityKeyIdentifier: string | undefined;
  /** Bit `n` is the named bit `n` of RFC 5280 §4.2.1.3: see `KeyUsage`. */
  readonly keyUsage: number | undefined;
  readonly subjectAltName: readonly GeneralName[] | undefined;
  readonly basicConstraints: BasicConstraints | undefined;
  readonly nameConstraints: NameConstraints | undefined;
  readonly policies: Policies | undefined;
  readonly policyMappings: readonly PolicyMapping[] | undefined;
  readonly policyConstraints: PolicyConstraints | undefined;
  /** Number of further certificates after which anyPolicy no longer counts. */
  readonly inhibitAnyPolicy: number | undefined;
  readonly extendedKeyUsage: ReadonlySet<Oid> | undefined;
}

/** Throws if one of these extensions is malformed. The error message contains its name. */
export function decodeKnownExtensions(extensions: ReadonlyMap<Oid, Extension>): KnownExtensions {
  const decode = <T>(oid: Oid, field: string, read: (value: Buffer) => T): T | undefined => {
    const extension = extensions.get(oid);
    return extension && inField(field, () => read(extension.value));
  };
  return {
    subjectKeyIdentifier: decode(ExtensionId.subjectKeyIdentifier, 'subject key identifier', readSubjectKeyIdentifier),
    authorityKeyIdentifier: authorityKeyIdentifierIn(extensions),
    keyUsage: decode(ExtensionId.keyUsage, 'key usage', readKeyUsage),
    subjectAltName: decode(ExtensionId.subjectAltName, 'subject alternative name', readGeneralNames),
    basicConstraints: decode(ExtensionId.basicConstraints, 'basic constraints', readBasicConstraints),
    nameConstraints: decode(ExtensionId.nameConstraints, 'name constraints', readNameConstraints),
    policies: decode(ExtensionId.certificatePolicies, 'certificate policies', readPolicies),
    policyMappings: decode(ExtensionId.policyMappings, 'policy mappings', readPolicyMappings),
    policyConstraints: decode(ExtensionId.policyConstraints, 'policy constraints', readPolicyConstraints),
    inhibitAnyPolicy: decode(ExtensionId.inhibitAnyPolicy, 'inhibit any policy', readInhibitAnyPolicy),
    extendedKeyUsage: decode(ExtensionId.extendedKeyUsage, 'extended key usage', readExtendedKeyUsage),
  };
}

/** Reads the key identifier of the issuer of a certificate or CRL, in hex. Throws if the extension is malformed. */
export function authorityKeyIdentifierIn(extensions: ReadonlyMap<Oid, Extension>): string | undefined {
  const extension = extensions.get(ExtensionId.authorityKeyIdentifier);
  return extension && inField('authority key identifier', () => readAuthorityKeyIdentifier(extension.value));
}

function readSubjectKeyIdentifier(value: Buffer): string {
  const reader = new DerReader(value);
  reader.expect(Tag.octetString);
  reader.finish();
  return reader.text('hex');
}

/** Reads only the key identifier: issuer and serial number beside it add nothing to the issuer field. */
function readAuthorityKeyIdentifier(value: Buffer): string | undefined {
  const reader = DerReader.inside(value, Tag.sequence);
  const identifier = reader.skipOptional(primitiveTag(0)) ? reader.text('hex') : undefined;
  while (reader.more) reader.next();
  return identifier;
}

/** The nine bits that RFC 5280 defines. */
const KEY_USAGE_BITS = 0x1ff;

function readKeyUsage(value: Buffer): number {
  const reader = new DerReader(value);
  const bits = readNamedBits(reader);
  reader.finish();
  return bits & KEY_USAGE_BITS;
}

/** A path length in a certificate that is not a CA has no effect, because no certificate can follow. */
function readBasicConstraints(value: Buffer): BasicConstraints {
  const reader = DerReader.inside(value, Tag.sequence);
  const isCa = reader.at(Tag.boolean) && readBoolean(reader);
  const pathLength = reader.more ? readCount(reader) : undefined;
  reader.finish();
  return { isCa, pathLength: isCa ? pathLength : undefined };
}

function readInhibitAnyPolicy(value: Buffer): number {
  const reader = new DerReader(value);
  const skipCertificates = readCount(reader);
  reader.finish();
  return skipCertificates;
}

/** Refuses an empty list, because implementations disagree whether it means every purpose or none. */
function readExtendedKeyUsage(value: Buffer): Set<Oid> {
  const list = DerReader.inside(value, Tag.sequence);
  const rules = { items: 'key purposes', most: MAX_KEY_PURPOSES, mayBeEmpty: false };
  return new Set(readItems(list, rules, () => readOid(list)));
}
