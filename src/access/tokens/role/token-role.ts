import { AppError } from '../../../lib/errors.ts';
import { assertFew, normalizePolicies } from '../../acl/index.ts';
import { canonicalCidrs } from '../../operation/cidrs.ts';
import {
  described,
  type FieldSet,
  flag,
  initialValues,
  integer,
  listOrEmpty,
  parseFields,
  seconds,
  text,
  type Values,
} from '../../operation/fields.ts';
import { component, optionals, shownFields, text as shownText } from '../../operation/schema.ts';
import { assertOneBinding } from './binding.ts';

const ROLE_FIELDS = {
  allowed_policies: listOrEmpty(),
  disallowed_policies: listOrEmpty(),
  allowed_policies_glob: listOrEmpty(),
  disallowed_policies_glob: listOrEmpty(),
  allowed_entity_aliases: listOrEmpty(),
  orphan: flag(),
  renewable: flag(true),
  path_suffix: text(),
  token_bound_cidrs: listOrEmpty(),
  token_explicit_max_ttl: seconds(),
  token_no_default_policy: flag(),
  token_num_uses: integer(),
  token_period: seconds(),
  token_strictly_bind_ip: flag(),
  token_type: text('default-service'),
} satisfies FieldSet;

/** Former names without `token_`. They set the same values. A read returns the names that the last write used. */
const OLD_FIELDS = { period: seconds(), explicit_max_ttl: seconds(), bound_cidrs: listOrEmpty() } satisfies FieldSet;
type OldName = keyof typeof OLD_FIELDS;
const OLD_NAMES = Object.keys(OLD_FIELDS) as OldName[];

export const TOKEN_ROLE_FIELDS = described(
  { ...ROLE_FIELDS, ...OLD_FIELDS },
  {
    allowed_policies: 'Policies that tokens may have, and that requests may name. Empty: those of the parent.',
    disallowed_policies: 'Policies that tokens must not have.',
    allowed_policies_glob: 'Like allowed_policies, with * for any characters.',
    disallowed_policies_glob: 'Like disallowed_policies, with * for any characters.',
    allowed_entity_aliases: 'Entity aliases that a request may name, with * for any characters.',
    orphan: 'Whether tokens have no parent.',
    renewable: 'Whether tokens can be renewed.',
    path_suffix: 'Suffix of the path that issues the tokens.',
    token_bound_cidrs: 'IP address blocks from which tokens can be used.',
    token_explicit_max_ttl: 'Maximum lifetime of tokens, including renewals; 0: no limit.',
    token_no_default_policy: 'Whether to omit the default policy.',
    token_num_uses: 'Number of uses of a token; 0: no limit.',
    token_period: 'Lifetime of a token after each renewal, without a maximum; 0: not periodic.',
    token_strictly_bind_ip: 'Whether a token is bound to the IP address of its request.',
    token_type: 'service or batch; default-service or default-batch allow the request to choose.',
    period: 'Former name of token_period.',
    explicit_max_ttl: 'Former name of token_explicit_max_ttl.',
    bound_cidrs: 'Former name of token_bound_cidrs.',
  },
);

const SHOWN = shownFields(TOKEN_ROLE_FIELDS);

/** A token role in a read. */
export const TokenRoleView = component(
  'TokenRole',
  {
    name: shownText(),
    ...SHOWN,
    ...optionals(SHOWN, ['token_bound_cidrs', 'bound_cidrs', 'token_num_uses', 'token_strictly_bind_ip']),
  },
  'Constraints of tokens created with a token role.',
);

/** Constraints of tokens created by `auth/token/create/<role>`. Durations are in seconds. */
export type TokenRole = Readonly<Values<typeof ROLE_FIELDS>> & {
  /** Former names that the last write used. */
  readonly old_names: readonly OldName[];
};

const INITIAL_ROLE: TokenRole = { ...initialValues(ROLE_FIELDS), old_names: [] };
const TYPES = new Set(['service', 'batch', 'default-service', 'default-batch']);
const PATH_SUFFIX = /^\w(?:[\w.-]{0,126}\w)?$/;

export interface MergedRole {
  readonly role: TokenRole;
  readonly warnings: readonly string[];
}

/** Parses a stored role. Fields added since then get their initial value. */
export function storedRole(json: string): TokenRole {
  return { ...INITIAL_ROLE, ...(JSON.parse(json) as Partial<TokenRole>) };
}

/**
 * Merges a write into a role. Policy names are normalized here, before any comparison.
 * @throws AppError bad-request
 */
export function mergeRole(stored: TokenRole | undefined, body: Readonly<Record<string, unknown>>): MergedRole {
  const { values } = parseFields(TOKEN_ROLE_FIELDS, body);
  const { period, explicit_max_ttl, bound_cidrs, ...named } = values;
  const old = { period, explicit_max_ttl, bound_cidrs };
  const merged: Record<string, unknown> = { ...(stored ?? INITIAL_ROLE), ...named };
  const oldNames = new Set((stored ?? INITIAL_ROLE).old_names);
  const warnings: string[] = [];
  for (const name of OLD_NAMES) {
    if (named[`token_${name}`] !== undefined) {
      oldNames.delete(name);
      if (old[name] !== undefined) warnings.push(ignored(name));
    } else if (old[name] !== undefined) {
      oldNames.add(name);
      merged[`token_${name}`] = old[name];
    }
  }
  return { role: checked(normalized({ ...(merged as TokenRole), old_names: [...oldNames].sort() })), warnings };
}

/** Returns the fields of a read. */
export function readBack(name: string, role: TokenRole): Record<string, unknown> {
  const {
    old_names: oldNames,
    token_bound_cidrs: cidrs,
    token_num_uses: uses,
    token_strictly_bind_ip: strictly,
    ...shown
  } = role;
  const old = (field: OldName) => oldNames.includes(field);
  return {
    name,
    ...shown,
    period: old('period') ? role.token_period : 0,
    explicit_max_ttl: old('explicit_max_ttl') ? role.token_explicit_max_ttl : 0,
    ...(cidrs.length > 0 && { token_bound_cidrs: cidrs }),
    ...(cidrs.length > 0 && old('bound_cidrs') && { bound_cidrs: cidrs }),
    ...(uses > 0 && { token_num_uses: uses }),
    ...(strictly && { token_strictly_bind_ip: true }),
  };
}

const ignored = (name: OldName): string =>
  `Both 'token_${name}' and deprecated '${name}' value supplied, ignoring the deprecated value`;

function normalized(role: TokenRole): TokenRole {
  for (const names of [
    role.allowed_policies,
    role.disallowed_policies,
    role.allowed_policies_glob,
    role.disallowed_policies_glob,
  ]) {
    assertFew(names);
  }
  return {
    ...role,
    allowed_policies: normalizePolicies(role.allowed_policies),
    disallowed_policies: normalizePolicies(role.disallowed_policies),
    allowed_policies_glob: normalizePolicies(role.allowed_policies_glob),
    disallowed_policies_glob: normalizePolicies(role.disallowed_policies_glob),
    allowed_entity_aliases: [...new Set(role.allowed_entity_aliases.map((name) => name.toLowerCase()))],
    token_bound_cidrs: canonicalCidrs(role.token_bound_cidrs),
  };
}

function checked(role: TokenRole): TokenRole {
  if (role.token_num_uses < 0) refuse("'token_num_uses' cannot be negative");
  assertOneBinding(role);
  if (!TYPES.has(role.token_type)) refuse("invalid 'token_type' value");
  if (role.path_suffix !== '' && (!PATH_SUFFIX.test(role.path_suffix) || role.path_suffix.includes('..'))) {
    refuse('given role path suffix contains invalid characters; use letters, digits, "_", "-" and "."');
  }
  if (role.token_type === 'batch') checkBatch(role);
  return role;
}

function checkBatch(role: TokenRole): void {
  const batch = "'token_type' cannot be 'batch' when role is set to generate";
  if (!role.orphan) refuse(`${batch} non-orphan tokens`);
  if (role.token_period > 0) refuse(`${batch} periodic tokens`);
  if (role.renewable) refuse(`${batch} renewable tokens`);
  if (role.token_explicit_max_ttl > 0) refuse(`${batch} tokens with an explicit max TTL`);
  if (role.token_num_uses > 0) refuse(`${batch} tokens with limited use count`);
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
