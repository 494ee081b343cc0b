import { AppError } from '../../lib/errors.ts';
import { assertAssignable, assertFew, normalizePolicies } from '../acl/index.ts';
import type { TtlLimits } from '../model/ttl-limits.ts';
import { canonicalCidrs } from '../operation/cidrs.ts';
import { type FieldSet, flag, integer, listOrEmpty, seconds, text, type Values } from '../operation/fields.ts';
import { assertOneBinding, type TtlTerms } from '../tokens/index.ts';

/** Token settings of every role, for all auth methods. */
export const TOKEN_FIELDS = {
  token_bound_cidrs: listOrEmpty(),
  token_explicit_max_ttl: seconds(),
  token_max_ttl: seconds(),
  token_no_default_policy: flag(),
  token_num_uses: integer(),
  token_period: seconds(),
  token_policies: listOrEmpty(),
  token_strictly_bind_ip: flag(),
  token_ttl: seconds(),
  token_type: text('default'),
} satisfies FieldSet;

/** Former names without `token_`. They set the same values. */
export const OLD_TOKEN_FIELDS = {
  policies: listOrEmpty(),
  ttl: seconds(),
  max_ttl: seconds(),
  period: seconds(),
  bound_cidrs: listOrEmpty(),
} satisfies FieldSet;

export const TOKEN_TEXTS: Readonly<Record<keyof typeof TOKEN_FIELDS | keyof typeof OLD_TOKEN_FIELDS, string>> = {
  token_bound_cidrs: 'Blocks of IP addresses from which clients may log in and use the token.',
  token_explicit_max_ttl: 'Maximum lifetime of tokens, including renewals; 0: no limit.',
  token_max_ttl: "Maximum lifetime of tokens; 0: the mount's.",
  token_no_default_policy: 'Whether to omit the default policy.',
  token_num_uses: 'Number of uses of a token; 0: no limit.',
  token_period: 'Lifetime of a token after each renewal, without a maximum; 0: not periodic.',
  token_policies: 'Policies of tokens.',
  token_ttl: "Initial lifetime of tokens; 0: the mount's.",
  token_strictly_bind_ip: 'Whether a token is bound to the IP address of the login.',
  token_type: "service, batch, or default (the mount's type).",
  policies: 'Former name of token_policies.',
  ttl: 'Former name of token_ttl.',
  max_ttl: 'Former name of token_max_ttl.',
  period: 'Former name of token_period.',
  bound_cidrs: 'Former name of token_bound_cidrs.',
};

const NEW_NAMES = {
  policies: 'token_policies',
  ttl: 'token_ttl',
  max_ttl: 'token_max_ttl',
  period: 'token_period',
  bound_cidrs: 'token_bound_cidrs',
  num_uses: 'token_num_uses',
} as const;
type OldName = keyof typeof NEW_NAMES;
const OLD_NAMES = Object.keys(NEW_NAMES) as OldName[];

/** Durations are in seconds. */
export type TokenSettings = Readonly<Values<typeof TOKEN_FIELDS>> & {
  /** Former names that the last write used. A read returns the value under both names. */
  readonly old_names: readonly OldName[];
};

type Written = Readonly<Record<string, unknown>> &
  Partial<Values<typeof TOKEN_FIELDS & typeof OLD_TOKEN_FIELDS>> & { readonly num_uses?: number };

/** Merges a write into stored settings. If a write uses both names of a field, the new name wins. */
export function mergeSettings<S extends TokenSettings>(stored: S, written: Written): S {
  const { policies, ttl, max_ttl, period, bound_cidrs, num_uses, ...named } = written;
  const lower = policies?.map((name) => name.trim().toLowerCase());
  const byOldName = { policies: lower, ttl, max_ttl, period, bound_cidrs, num_uses };
  const settings: Record<string, unknown> = { ...stored, ...named };
  const oldNames = new Set(stored.old_names);
  for (const old of OLD_NAMES) {
    const name = NEW_NAMES[old];
    if (byOldName[old] !== undefined) {
      oldNames.add(old);
      if (named[name] === undefined) settings[name] = byOldName[old];
    } else if (named[name] !== undefined) {
      oldNames.delete(old);
    }
  }
  return { ...(settings as unknown as S), old_names: [...oldNames].sort() };
}

/** Returns the fields of a read. Also returns non-empty values under the former names that the last write used. */
export function readBack(settings: TokenSettings): Record<string, unknown> {
  const { old_names: oldNames, ...fields } = settings;
  const shown: Record<string, unknown> = { ...fields };
  for (const old of oldNames) {
    const value = settings[NEW_NAMES[old]];
    if (typeof value === 'number' ? value > 0 : value.length > 0) shown[old] = value;
  }
  return shown;
}

/**
 * Validates and normalizes settings.
 * @throws AppError bad-request
 */
export function checkedTokenSettings<S extends TokenSettings>(merged: S): S {
  const settings: S = {
    ...merged,
    token_type: merged.token_type || 'default',
    token_bound_cidrs: canonicalCidrs(merged.token_bound_cidrs),
  };
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
  return settings;
}

/** Returns warnings about token settings that cannot work at this mount. */
export function tokenWarnings(
  settings: TokenSettings,
  limits: TtlLimits,
  tokenType: 'service' | 'batch',
): readonly string[] {
  const { token_ttl: ttl, token_max_ttl: max, token_period: period, token_num_uses: uses } = settings;
  const warnings: string[] = [];
  const beyond = (what: string, value: number, whose: string) => {
    const limit = limits.maxTtl;
    if (value > limit) warnings.push(`Given ${what} of ${value} seconds is greater than ${whose} of ${limit} seconds`);
  };
  beyond('ttl', ttl, 'current mount/system default');
  beyond('max_ttl', max, 'current mount/system default');
  beyond('period', period, "the backend's maximum TTL");
  return tokenType === 'batch' && uses > 0 ? [...warnings, UNCOUNTED] : warnings;
}

const UNCOUNTED =
  'token_num_uses: this mount issues batch tokens, whose uses cannot be counted, so no login can succeed';

export function termsOf(settings: TokenSettings): TtlTerms {
  return {
    ttl: settings.token_ttl,
    maxTtl: settings.token_max_ttl,
    period: settings.token_period,
    explicitMaxTtl: settings.token_explicit_max_ttl,
  };
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
