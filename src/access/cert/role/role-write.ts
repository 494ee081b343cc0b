import { AppError } from '../../../lib/errors.ts';
import { isLookedUp } from '../../../lib/pattern-set.ts';
import { runAtOnce, type Steps } from '../../../lib/slices.ts';
import type { Certificate } from '../../../x509/index.ts';
import { checkedTokenSettings } from '../../method/index.ts';
import { canonicalCidrs } from '../../operation/cidrs.ts';
import { parseFields } from '../../operation/fields.ts';
import { parseGroupSource } from '../constraint/group-sources.ts';
import { attributePatterns, parseAttribute, parseOtherSan } from '../constraint/own-constraints.ts';
import { INITIAL_SETTINGS, mergeWritten, type RoleSettings, WRITABLE_FIELDS } from '../settings/role-settings.ts';
import { VALUE_SOURCES } from '../settings/value-source.ts';
import { assertUsable, checkedCertificates } from './role-certificates.ts';

/** A checked write of a role. */
export interface RoleWrite {
  /**
   * Returns the new settings.
   * @throws AppError bad-request; nothing is stored then
   */
  readonly change: (stored: RoleSettings | undefined) => RoleSettings;
  /** New certificates. Undefined if the write keeps the stored ones. */
  readonly certificates: readonly Certificate[] | undefined;
}

/**
 * Parses a write, which merges: absent fields keep their value. Certificates are parsed before the transaction,
 * because there may be hundreds.
 * @throws AppError bad-request
 */
export function* roleWrite(name: string, body: Readonly<Record<string, unknown>>): Steps<RoleWrite> {
  const { values } = parseFields(WRITABLE_FIELDS, body);
  const certificates = values.certificate === undefined ? undefined : yield* checkedCertificates(values.certificate);
  const change = (stored: RoleSettings | undefined) => {
    if (!stored && !certificates) runAtOnce(checkedCertificates(''));
    const settings = mergeRole(name, stored, values);
    if (certificates) assertUsable(certificates, settings);
    return settings;
  };
  return { change, certificates };
}

function mergeRole(
  name: string,
  stored: RoleSettings | undefined,
  values: Parameters<typeof mergeWritten>[1],
): RoleSettings {
  const merged = mergeWritten(stored ?? INITIAL_SETTINGS, values);
  const allowed_ip_sans = merged.allowed_ip_sans && canonicalIpSans(merged.allowed_ip_sans);
  const settings = checkedTokenSettings({ ...merged, allowed_ip_sans, display_name: merged.display_name || name });
  checkPatterns(settings);
  checkItems(settings);
  if (settings.ocsp_max_retries < 0) refuse('ocsp_max_retries can not be a negative number');
  return settings;
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}

/** Limits of one role, which bound the work of a login. */
export const ROLE_PATTERN_LIMITS = {
  /**
   * Total size of name patterns, required extensions and metadata extensions.
   * @limit name patterns of a role, patterns -> 400
   */
  patterns: 10_000,
  /**
   * Length of all of them, in UTF-16 units.
   * @limit total length of the patterns and extensions of a role, characters -> 400
   */
  length: 512 * 1024,
  /**
   * Extensions, otherName SANs and subject attributes, and patterns that cannot be looked up in an index: with a star
   * in the middle or several stars. Each costs a pass over all names.
   * @limit extensions, otherName SANs and subject attributes of a role, and patterns with a star in the middle or several stars, patterns -> 400
   */
  passes: 1000,
};

function checkPatterns(role: RoleSettings): void {
  const patterns = [
    role.allowed_names,
    role.allowed_common_names,
    role.allowed_dns_sans,
    role.allowed_email_sans,
    role.allowed_uri_sans,
    role.allowed_organizational_units,
    role.allowed_organizations,
  ].flatMap((list) => list ?? []);
  // Items with an OID or a name take longer to parse than patterns.
  const extensions = [
    role.required_extensions,
    role.allowed_metadata_extensions,
    role.allowed_other_sans,
    role.allowed_subject_attributes,
  ].flatMap((list) => list ?? []);
  const all = [...patterns, ...extensions];
  const { patterns: most, length, passes } = ROLE_PATTERN_LIMITS;
  if (all.length > most) refuse(`a role may have at most ${most} patterns and extensions`);
  if (all.reduce((sum, { length }) => sum + length, 0) > length) {
    refuse(`the patterns and extensions of a role may have at most ${length} characters`);
  }
  if (extensions.length + patterns.filter((pattern) => !isLookedUp(pattern)).length > passes) {
    refuse(`a role may have at most ${passes} extensions and patterns with a * in the middle or several *`);
  }
}

/** @limit different subject attributes that a role constrains, attributes -> 400 */
const MAX_ATTRIBUTES = 32;
/** @limit sources of groups of a role, sources -> 400 */
const MAX_GROUP_SOURCES = 20;
/** @limit a source of groups with its pattern, characters -> 400 */
const MAX_GROUP_SOURCE = 1000;
/** Characters of an invalid item in an error. */
const SHOWN = 100;

/** Refuses items that can never match. The lists that other servers have too accept them, with a warning. */
function checkItems({
  allowed_other_sans: others,
  allowed_subject_attributes: attributes,
  group_sources: groups,
}: RoleSettings): void {
  const other = others?.find((item) => parseOtherSan(item) === undefined);
  if (other !== undefined) {
    refuse(`allowed_other_sans: "${other.slice(0, SHOWN)}" is none of UPN:pattern, oid:pattern and hex:oid:pattern`);
  }
  const attribute = attributes?.find((item) => parseAttribute(item) === undefined);
  if (attribute !== undefined) {
    const expected = 'name=pattern with the name (UID, O …) or the OID of an attribute';
    refuse(`allowed_subject_attributes: "${attribute.slice(0, SHOWN)}" is not ${expected}`);
  }
  if (attributePatterns(attributes ?? []).size > MAX_ATTRIBUTES) {
    refuse(`allowed_subject_attributes may name at most ${MAX_ATTRIBUTES} different attributes`);
  }
  if (groups.length > MAX_GROUP_SOURCES) refuse(`group_sources may have at most ${MAX_GROUP_SOURCES} entries`);
  const group = groups.find((item) => item.length > MAX_GROUP_SOURCE || parseGroupSource(item) === undefined);
  if (group !== undefined) {
    refuse(
      `group_sources: "${group.slice(0, SHOWN)}" is not one of ${VALUE_SOURCES}, each alone or with :pattern behind ` +
        `it, in at most ${MAX_GROUP_SOURCE} characters`,
    );
  }
}

function canonicalIpSans(blocks: readonly string[]): readonly string[] {
  const field = 'allowed_ip_sans';
  const zoned = blocks.find((block) => block.includes('%'));
  if (zoned !== undefined) refuse(`${field}: "${zoned.slice(0, SHOWN)}" has a zone, which certificates do not have`);
  return canonicalCidrs(blocks, field);
}
