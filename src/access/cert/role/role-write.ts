import { CidrError, canonicalBlocks } from '../../../lib/cidr.ts';
import { AppError } from '../../../lib/errors.ts';
import { isLookedUp } from '../../../lib/pattern-set.ts';
import { atOnce, type Steps } from '../../../lib/slices.ts';
import type { Certificate } from '../../../x509/index.ts';
import { assertAssignable, assertFew, normalizePolicies } from '../../acl/index.ts';
import { parseFields } from '../../operation/fields.ts';
import { assertOneBinding } from '../../tokens/index.ts';
import { INITIAL_SETTINGS, mergeSettings, type RoleSettings, WRITABLE_FIELDS } from '../settings/role-settings.ts';
import { checkedCertificates } from './role-certificates.ts';

const NAME = /^\w(?:[\w.-]{0,254}\w)?$/;

/**
 * Role names are case-insensitive: always the lower-cased name is stored and compared.
 * @throws AppError not-found, as for any path that does not exist
 */
export function roleName(name: string): string {
  if (!NAME.test(name)) throw new AppError('not-found', '1 error occurred:\n\t* unsupported path\n\n');
  return name.toLowerCase();
}

/** What a write makes of a role. */
export interface RoleWrite {
  /** @throws AppError bad-request; nothing is stored then */
  readonly change: (stored: RoleSettings | undefined) => RoleSettings;
  /** Those that it names; undefined where it leaves those that are stored. */
  readonly certificates: readonly Certificate[] | undefined;
}

/**
 * It merges: what the body does not name stays as it is. The certificates are read beforehand, as there may be hundreds, and
 * no transaction waits for that.
 * @throws AppError bad-request
 */
export function* roleWrite(name: string, body: Readonly<Record<string, unknown>>): Steps<RoleWrite> {
  const { values } = parseFields(WRITABLE_FIELDS, body);
  const certificates = values.certificate === undefined ? undefined : yield* checkedCertificates(values.certificate);
  const change = (stored: RoleSettings | undefined) => {
    if (!stored && !certificates) atOnce(checkedCertificates(''));
    return mergeRole(name, stored, values);
  };
  return { change, certificates };
}

function mergeRole(
  name: string,
  stored: RoleSettings | undefined,
  values: Parameters<typeof mergeSettings>[1],
): RoleSettings {
  const merged = mergeSettings(stored ?? INITIAL_SETTINGS, values);
  const settings: RoleSettings = {
    ...merged,
    display_name: merged.display_name || name,
    token_type: merged.token_type || 'default',
    token_bound_cidrs: canonicalCidrs(merged.token_bound_cidrs),
  };
  checkPatterns(settings);
  checkTokenSettings(settings);
  if (settings.ocsp_max_retries < 0) refuse('ocsp_max_retries can not be a negative number');
  return settings;
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}

function canonicalCidrs(blocks: readonly string[]): string[] {
  try {
    return canonicalBlocks(blocks);
  } catch (error) {
    if (error instanceof CidrError) refuse(error.message);
    throw error;
  }
}

/** Of one role: what a login may have to be compared with. */
export const ROLE_PATTERN_LIMITS = {
  /**
   * Patterns of names, conditions on extensions, and extensions for the metadata, together.
   * @limit patterns of names of a role, patterns -> 400
   */
  patterns: 10_000,
  /**
   * UTF-16 units of all of them.
   * @limit the patterns and extensions of a role together, characters -> 400
   */
  length: 512 * 1024,
  /**
   * All but the patterns that are looked up: with a star in the middle or with several, each costs a pass over all names.
   * @limit extensions of a role, and patterns with a star in the middle or with several, patterns -> 400
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
  ].flatMap((list) => list ?? []);
  const extensions = [...(role.required_extensions ?? []), ...(role.allowed_metadata_extensions ?? [])];
  const all = [...patterns, ...extensions];
  const { patterns: most, length, passes } = ROLE_PATTERN_LIMITS;
  if (all.length > most) refuse(`a role has at most ${most} patterns and extensions`);
  if (all.reduce((sum, { length }) => sum + length, 0) > length) {
    refuse(`the patterns and extensions of a role have at most ${length} characters`);
  }
  if (extensions.length + patterns.filter((pattern) => !isLookedUp(pattern)).length > passes) {
    refuse(`a role has at most ${passes} extensions and patterns with a * in the middle or with several`);
  }
}

function checkTokenSettings(settings: RoleSettings): void {
  const { token_max_ttl: max, token_num_uses: uses, token_period: period, token_type: type } = settings;
  if (uses < 0) refuse("'token_num_uses' cannot be negative");
  assertOneBinding(settings);
  if (max > 0 && settings.token_ttl > max) refuse("'token_ttl' cannot be greater than 'token_max_ttl'");
  if (!['default', 'service', 'batch'].includes(type)) refuse("invalid 'token_type' value");
  const batch = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
  if (type === 'batch' && period > 0) refuse(`${batch} periodic tokens`);
  if (type === 'batch' && uses > 0) refuse(`${batch} tokens with limited use count`);
  assertFew(settings.token_policies);
  const policies = normalizePolicies(settings.token_policies);
  if (policies.includes('root')) refuse('auth methods cannot create root tokens');
  assertAssignable(policies);
}
