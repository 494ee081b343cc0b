import { CidrError, canonicalBlocks } from '../../lib/cidr.ts';
import { AppError } from '../../lib/errors.ts';
import { parseFields } from '../fields.ts';
import { assertAssignable, assertFew, normalizePolicies } from '../policies/names.ts';
import { checkCertificates } from './role-certificates.ts';
import { INITIAL_SETTINGS, mergeSettings, type RoleSettings, WRITABLE_FIELDS } from './role-fields.ts';

const NAME = /^\w(?:[\w.-]{0,254}\w)?$/;

/**
 * Role names are case-insensitive: always the lower-cased name is stored and compared.
 * @throws AppError not-found, as for any path that does not exist
 */
export function roleName(name: string): string {
  if (!NAME.test(name)) throw new AppError('not-found', '1 error occurred:\n\t* unsupported path\n\n');
  return name.toLowerCase();
}

/**
 * A write merges: what the body does not name stays as it is.
 * @throws AppError bad-request; nothing is stored then
 */
export function mergeRole(
  name: string,
  stored: RoleSettings | undefined,
  body: Readonly<Record<string, unknown>>,
): RoleSettings {
  const { values } = parseFields(WRITABLE_FIELDS, body);
  const merged = mergeSettings(stored ?? INITIAL_SETTINGS, values);
  const settings: RoleSettings = {
    ...merged,
    display_name: merged.display_name || name,
    token_type: merged.token_type || 'default',
    token_bound_cidrs: canonicalCidrs(merged.token_bound_cidrs),
  };
  checkCertificates(settings.certificate);
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

function checkTokenSettings(settings: RoleSettings): void {
  const { token_max_ttl: max, token_num_uses: uses, token_period: period, token_type: type } = settings;
  if (uses < 0) refuse("'token_num_uses' cannot be negative");
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
