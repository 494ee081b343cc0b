import type { Buffer } from 'node:buffer';
import { type Oid, oidFromDotted, readOid } from '../asn1/oid.ts';
import { DerReader, primitiveTag, Tag } from '../asn1/reader.ts';
import { readCount } from '../asn1/values.ts';
import { ParseError } from '../parse-error.ts';

/**
 * In one extension.
 * @limit policies, and mappings of policies, entries -> it cannot be read
 */
const MAX_POLICIES = 1024;

/** RFC 5280 §4.2.1.4 */
export const ANY_POLICY = oidFromDotted('2.5.29.32.0');

/** A pointer to a practice statement and a notice to a user: they ask nothing of software. */
const DISPLAY_QUALIFIERS: ReadonlySet<Oid> = new Set([
  oidFromDotted('1.3.6.1.5.5.7.2.1'),
  oidFromDotted('1.3.6.1.5.5.7.2.2'),
]);

export interface Policies {
  readonly ids: ReadonlySet<Oid>;
  /** A policy carries a qualifier that RFC 5280 does not define. */
  readonly hasUnknownQualifier: boolean;
}

/** RFC 5280 §4.2.1.5: below this authority `subjectPolicy` counts as `issuerPolicy`. */
export interface PolicyMapping {
  readonly issuerPolicy: Oid;
  readonly subjectPolicy: Oid;
}

/** RFC 5280 §4.2.1.11: certificates after which a policy is required, and after which mappings no longer count. */
export interface PolicyConstraints {
  readonly requireExplicitPolicy: number | undefined;
  readonly inhibitPolicyMapping: number | undefined;
}

export function readPolicies(value: Buffer): Policies {
  const reader = DerReader.inside(value, Tag.sequence);
  const ids = new Set<Oid>();
  let hasUnknownQualifier = false;
  do {
    if (ids.size === MAX_POLICIES) throw new ParseError(`more than ${MAX_POLICIES} policies`);
    const policy = reader.enter(Tag.sequence);
    ids.add(readOid(policy));
    if (policy.more && !readQualifiers(policy)) hasUnknownQualifier = true;
    policy.finish();
  } while (reader.more);
  return { ids, hasUnknownQualifier };
}

/** True when every qualifier is one that RFC 5280 defines. */
function readQualifiers(reader: DerReader): boolean {
  const list = reader.enter(Tag.sequence);
  let known = true;
  do {
    const qualifier = list.enter(Tag.sequence);
    if (!DISPLAY_QUALIFIERS.has(readOid(qualifier))) known = false;
    qualifier.next();
    qualifier.finish();
  } while (list.more);
  return known;
}

export function readPolicyMappings(value: Buffer): PolicyMapping[] {
  const reader = DerReader.inside(value, Tag.sequence);
  const mappings: PolicyMapping[] = [];
  do {
    if (mappings.length === MAX_POLICIES) throw new ParseError(`more than ${MAX_POLICIES} policy mappings`);
    const mapping = reader.enter(Tag.sequence);
    mappings.push({ issuerPolicy: readOid(mapping), subjectPolicy: readOid(mapping) });
    mapping.finish();
  } while (reader.more);
  return mappings;
}

export function readPolicyConstraints(value: Buffer): PolicyConstraints {
  const reader = DerReader.inside(value, Tag.sequence);
  if (!reader.more) throw new ParseError('empty policy constraints');
  const requireExplicitPolicy = readOptionalCount(reader, primitiveTag(0));
  const inhibitPolicyMapping = readOptionalCount(reader, primitiveTag(1));
  reader.finish();
  return { requireExplicitPolicy, inhibitPolicyMapping };
}

function readOptionalCount(reader: DerReader, tag: number): number | undefined {
  return reader.at(tag) ? readCount(reader, tag) : undefined;
}
