import type { Buffer } from 'node:buffer';
import { readItems } from '../asn1/list.ts';
import { type Oid, oidFromDotted, readOid } from '../asn1/oid.ts';
import { DerReader, primitiveTag, Tag } from '../asn1/reader.ts';
import { readCount } from '../asn1/values.ts';
import { ParseError } from '../parse-error.ts';

/**
 * Maximum number in one extension.
 * @limit policies, or policy mappings, entries -> the certificate cannot be read
 */
const MAX_POLICIES = 1024;

/** OID anyPolicy (RFC 5280 §4.2.1.4). */
export const ANY_POLICY = oidFromDotted('2.5.29.32.0');

/** A pointer to a practice statement and a notice for users, which have no meaning for software. */
const DISPLAY_QUALIFIERS: ReadonlySet<Oid> = new Set([
  oidFromDotted('1.3.6.1.5.5.7.2.1'),
  oidFromDotted('1.3.6.1.5.5.7.2.2'),
]);

export interface Policies {
  readonly ids: ReadonlySet<Oid>;
  /** Whether a policy has a qualifier that RFC 5280 does not define. */
  readonly hasUnknownQualifier: boolean;
}

/** Policy mapping (RFC 5280 §4.2.1.5): below this CA `subjectPolicy` counts as `issuerPolicy`. */
export interface PolicyMapping {
  readonly issuerPolicy: Oid;
  readonly subjectPolicy: Oid;
}

/**
 * Policy constraints (RFC 5280 §4.2.1.11): numbers of certificates after which a policy is required, and after which
 * mappings no longer count.
 */
export interface PolicyConstraints {
  readonly requireExplicitPolicy: number | undefined;
  readonly inhibitPolicyMapping: number | undefined;
}

/** Reads CertificatePolicies. An empty list names no policy, as if the extension were missing. */
export function readPolicies(value: Buffer): Policies {
  const list = DerReader.inside(value, Tag.sequence);
  const policies = readItems(list, { items: 'policies', most: MAX_POLICIES, mayBeEmpty: true }, () => {
    const policy = list.enter(Tag.sequence);
    const id = readOid(policy);
    const isUnderstood = !policy.more || readQualifiers(policy.enter(Tag.sequence));
    policy.finish();
    return { id, isUnderstood };
  });
  return {
    ids: new Set(policies.map(({ id }) => id)),
    hasUnknownQualifier: policies.some(({ isUnderstood }) => !isUnderstood),
  };
}

/** Returns whether RFC 5280 defines every qualifier. */
function readQualifiers(list: DerReader): boolean {
  const qualifiers = readItems(list, { items: 'policy qualifiers', most: MAX_POLICIES, mayBeEmpty: true }, () => {
    const qualifier = list.enter(Tag.sequence);
    const id = readOid(qualifier);
    qualifier.next();
    qualifier.finish();
    return id;
  });
  return qualifiers.every((id) => DISPLAY_QUALIFIERS.has(id));
}

export function readPolicyMappings(value: Buffer): PolicyMapping[] {
  const list = DerReader.inside(value, Tag.sequence);
  return readItems(list, { items: 'policy mappings', most: MAX_POLICIES, mayBeEmpty: true }, () => {
    const mapping = list.enter(Tag.sequence);
    const policies = { issuerPolicy: readOid(mapping), subjectPolicy: readOid(mapping) };
    mapping.finish();
    return policies;
  });
}

export function readPolicyConstraints(value: Buffer): PolicyConstraints {
  const reader = DerReader.inside(value, Tag.sequence);
  if (!reader.more) throw new ParseError('neither requireExplicitPolicy nor inhibitPolicyMapping');
  const requireExplicitPolicy = readOptionalCount(reader, primitiveTag(0));
  const inhibitPolicyMapping = readOptionalCount(reader, primitiveTag(1));
  reader.finish();
  return { requireExplicitPolicy, inhibitPolicyMapping };
}

function readOptionalCount(reader: DerReader, tag: number): number | undefined {
  return reader.at(tag) ? readCount(reader, tag) : undefined;
}
