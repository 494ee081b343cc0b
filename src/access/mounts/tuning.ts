import { DurationError, parseSeconds } from '../../lib/duration.ts';
import { AppError } from '../../lib/errors.ts';
import { INITIAL_FLAGS, type MountFlags, type MountTuning } from '../model/mount.ts';
import type { TtlLimits } from '../model/ttl-limits.ts';
import { described, type Field, flag, listOrEmpty, parseFields, seconds, text } from '../operation/fields.ts';

type Body = Readonly<Record<string, unknown>>;

const TOKEN_TYPES = ['default-service', 'default-batch', 'service', 'batch'] as const;
const VISIBILITIES = ['', 'hidden', 'unauth'] as const;
/** @limit options of a mount and entries of its lists, entries -> 400 */
const MAX_ITEMS = 100;
/** @limit one option or entry of a mount, characters -> 400 */
const MAX_TEXT = 256;
/** @limit the description of a mount, characters -> 400 */
const MAX_DESCRIPTION = 2_048;

const PLAIN_FIELDS = {
  force_no_cache: flag(),
  audit_non_hmac_request_keys: listOrEmpty(),
  audit_non_hmac_response_keys: listOrEmpty(),
  passthrough_request_headers: listOrEmpty(),
  allowed_response_headers: listOrEmpty(),
};

const object: Field<unknown> = { initial: null, schema: { type: 'object' }, parse: (value) => value };

/** Fields of a write of the tuning. */
export const TUNING_FIELDS = described(
  {
    description: text(),
    default_lease_ttl: seconds(),
    max_lease_ttl: seconds(),
    token_type: text(),
    listing_visibility: text(),
    options: object,
    ...PLAIN_FIELDS,
  },
  {
    description: 'Description for people.',
    default_lease_ttl: 'Default lifetime of tokens. `system`: the server default.',
    max_lease_ttl: 'Maximum lifetime of tokens. `system`: the server default.',
    token_type: 'service or batch for all roles; default-service or default-batch for roles that do not set a type.',
    listing_visibility: '`unauth`: listed without a token. `hidden` or empty: not listed.',
    options: 'Strings by name. Stored and returned; no effect.',
    force_no_cache: 'Stored and returned; no effect.',
    audit_non_hmac_request_keys: 'Stored and returned; no effect.',
    audit_non_hmac_response_keys: 'Stored and returned; no effect.',
    passthrough_request_headers: 'Stored and returned; no effect.',
    allowed_response_headers: 'Stored and returned; no effect.',
  },
);

const FLAG_FIELDS = { local: flag(), seal_wrap: flag(), external_entropy_access: flag() };

/** Fields of a request that enables a mount. */
export const MOUNT_FIELDS = described(
  {
    type: text(),
    description: text(),
    config: { ...object, nested: TUNING_FIELDS },
    options: object,
    ...FLAG_FIELDS,
  },
  {
    type: 'The method: `cert`, `jwt` or `oidc` (same as `jwt`).',
    description: 'Description for people.',
    config: 'The fields of `tune`.',
    options: 'Strings by name. Stored and returned; no effect.',
    local: 'Stored and returned; no effect.',
    seal_wrap: 'Stored and returned; no effect.',
    external_entropy_access: 'Stored and returned; no effect.',
  },
);

/** @throws AppError bad-request */
export function mountFlags(body: Body): MountFlags {
  return { ...INITIAL_FLAGS, ...parseFields(FLAG_FIELDS, pick(body, FLAG_FIELDS)).values };
}

/**
 * Merges a request into a mount's tuning. Absent fields, null, and texts that clients always send empty keep the
 * stored value.
 * @throws AppError bad-request
 */
export function mergeTuning(stored: MountTuning, body: Body, installation: TtlLimits): MountTuning {
  const tuning: MountTuning = {
    ...stored,
    ...parseFields(PLAIN_FIELDS, pick(body, PLAIN_FIELDS)).values,
    ...ttl('default_lease_ttl', 'default TTL', body),
    ...ttl('max_lease_ttl', 'max TTL', body),
    ...tokenType(body.token_type),
    ...visibility(body.listing_visibility),
    ...options(body.options, stored.options),
  };
  for (const name of Object.keys(PLAIN_FIELDS)) assertSmall(name, tuning[name as keyof typeof PLAIN_FIELDS]);
  assertOrdered(tuning, installation);
  return tuning;
}

/**
 * Returns the new description, or undefined to keep the stored one.
 * @throws AppError bad-request
 */
export function description(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > MAX_DESCRIPTION || value.includes('\0')) {
    throw new AppError('bad-request', `'description' must be a string of at most ${MAX_DESCRIPTION} characters`);
  }
  return value;
}

/** @throws AppError bad-request */
export function section(name: string, value: unknown): Body {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Body;
  throw new AppError('bad-request', `'${name}' must be an object`);
}

function pick(body: Body, fields: object): Body {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== null && Object.hasOwn(fields, name)),
  );
}

/** Parses seconds, a duration, or `system` for the server default. */
function ttl(name: 'default_lease_ttl' | 'max_lease_ttl', called: string, body: Body): Partial<MountTuning> {
  const value = body[name];
  if (value === undefined || value === null || value === '') return {};
  if (value === 'system') return { [name]: 0 };
  try {
    if (typeof value !== 'string' && typeof value !== 'number') throw new DurationError('expected a duration');
    return { [name]: parseSeconds(value) };
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new AppError('bad-request', `unable to parse ${called}: ${error.message}`);
  }
}

function tokenType(value: unknown): Partial<MountTuning> {
  if (value === undefined || value === null || value === '') return {};
  const known = TOKEN_TYPES.find((type) => type === value);
  if (!known)
    throw new AppError('bad-request', `invalid value for 'token_type', must be one of ${TOKEN_TYPES.join(', ')}`);
  return { token_type: known };
}

function visibility(value: unknown): Partial<MountTuning> {
  if (value === undefined || value === null) return {};
  const known = VISIBILITIES.find((one) => one === value);
  if (known === undefined) {
    throw new AppError('bad-request', `invalid value for 'listing_visibility', must be empty, hidden or unauth`);
  }
  return { listing_visibility: known };
}

/** Adds options to the stored ones. An empty value removes an option. */
function options(value: unknown, stored: MountTuning['options']): Partial<MountTuning> {
  if (value === undefined || value === null) return {};
  const given = Object.entries(section('options', value));
  const entries = Object.entries({ ...stored, ...Object.fromEntries(given) }).filter(([, text]) => text !== '');
  const small = entries.every(([key, text]) => typeof text === 'string' && isSmall(key) && isSmall(text));
  if (!small || entries.length > MAX_ITEMS) {
    throw new AppError(
      'bad-request',
      `'options' must contain at most ${MAX_ITEMS} strings of at most ${MAX_TEXT} characters`,
    );
  }
  return { options: entries.length === 0 ? null : (Object.fromEntries(entries) as Record<string, string>) };
}

const isSmall = (text: string): boolean => text.length <= MAX_TEXT;

function assertSmall(name: string, value: boolean | readonly string[]): void {
  if (typeof value === 'boolean' || (value.length <= MAX_ITEMS && value.every(isSmall))) return;
  throw new AppError(
    'bad-request',
    `'${name}' must contain at most ${MAX_ITEMS} strings of at most ${MAX_TEXT} characters`,
  );
}

/** Refuses a default above the maximum, which would cut the lifetime of every token. */
function assertOrdered(
  { default_lease_ttl: standard, max_lease_ttl: max }: MountTuning,
  installation: TtlLimits,
): void {
  if (max > 0 && standard > max) {
    throw new AppError('bad-request', 'given default lease TTL greater than given max lease TTL');
  }
  if (max === 0 && standard > installation.maxTtl) {
    throw new AppError('bad-request', 'given default lease TTL greater than system max lease TTL');
  }
}
