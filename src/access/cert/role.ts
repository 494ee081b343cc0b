import { CidrError, canonicalBlocks } from '../../lib/cidr.ts';
import { AppError } from '../../lib/errors.ts';
import {
  type FieldSet,
  flag,
  initialValues,
  integer,
  list,
  listOrEmpty,
  parseFields,
  seconds,
  text,
  type Values,
} from '../fields.ts';
import { checkCertificates } from './role-certificates.ts';

/** The fields of a role (spec §2.2). */
const ROLE_FIELDS = {
  certificate: text(),
  display_name: text(),
  allowed_names: list(),
  allowed_common_names: list(),
  allowed_dns_sans: list(),
  allowed_email_sans: list(),
  allowed_uri_sans: list(),
  allowed_organizational_units: list(),
  required_extensions: list(),
  allowed_metadata_extensions: list(),
  ocsp_enabled: flag(),
  token_bound_cidrs: listOrEmpty(),
  token_explicit_max_ttl: seconds(),
  token_max_ttl: seconds(),
  token_no_default_policy: flag(),
  token_num_uses: integer(),
  token_period: seconds(),
  token_policies: listOrEmpty(),
  token_ttl: seconds(),
  token_type: text('default'),
} satisfies FieldSet;

/** What a role says, as it is stored and as a read shows it. Lengths of time are seconds. */
export type RoleSettings = Readonly<Values<typeof ROLE_FIELDS>>;

const NAME = /^\w(?:[\w.-]{0,254}\w)?$/;

/**
 * Role names are case-insensitive: always the lower-cased name is stored and compared.
 * @throws AppError not-found, as for any path that does not exist
 */
export function roleName(name: string): string {
  if (!NAME.test(name)) throw new AppError('not-found', '1 error occurred:\n\t* unsupported path\n\n');
  return name.toLowerCase();
}

export interface RoleWrite {
  readonly settings: RoleSettings;
  readonly warnings: readonly string[];
}

/** Settings that an older version stored, with what has come since at its initial value. */
export function storedSettings(json: string): RoleSettings {
  return { ...initialValues(ROLE_FIELDS), ...(JSON.parse(json) as Partial<RoleSettings>) };
}

/**
 * A write merges: what the body does not name stays as it is.
 * @throws AppError bad-request; nothing is stored then
 */
export function mergeRole(
  name: string,
  stored: RoleSettings | undefined,
  body: Readonly<Record<string, unknown>>,
  now: number,
): RoleWrite {
  const { values } = parseFields(ROLE_FIELDS, body);
  const merged: RoleSettings = { ...(stored ?? initialValues(ROLE_FIELDS)), ...values };
  const settings = {
    ...merged,
    display_name: merged.display_name || name,
    token_type: merged.token_type || 'default',
    token_bound_cidrs: canonicalCidrs(merged.token_bound_cidrs),
  };
  checkTokenSettings(settings);
  return { settings, warnings: checkCertificates(settings.certificate, now) };
}

function canonicalCidrs(blocks: readonly string[]): string[] {
  try {
    return canonicalBlocks(blocks);
  } catch (error) {
    if (error instanceof CidrError) throw new AppError('bad-request', error.message);
    throw error;
  }
}

function checkTokenSettings(settings: RoleSettings): void {
  const refuse = (message: string): never => {
    throw new AppError('bad-request', message);
  };
  if (settings.token_num_uses < 0) refuse("'token_num_uses' cannot be negative");
  if (settings.token_max_ttl > 0 && settings.token_ttl > settings.token_max_ttl) {
    refuse("'token_ttl' cannot be greater than 'token_max_ttl'");
  }
  if (!['default', 'service', 'batch'].includes(settings.token_type)) refuse("invalid 'token_type' value");
  for (const name of settings.token_policies) {
    if (name.trim().toLowerCase() === 'root') refuse('auth methods cannot create root tokens');
  }
  refuseWhatIsNotEnforcedYet(settings, refuse);
}

/** A setting that would be stored but not enforced is worse than none: the role would admit more than it says. */
function refuseWhatIsNotEnforcedYet(settings: RoleSettings, refuse: (message: string) => never): void {
  if (settings.ocsp_enabled) refuse("'ocsp_enabled' is not supported by this version");
  if (settings.token_num_uses > 0) refuse("'token_num_uses' is not supported by this version");
  if (settings.token_type === 'batch') refuse("'token_type' batch is not supported by this version");
}
