import { AppError } from '../../../lib/errors.ts';
import {
  checkedTokenSettings,
  mergeSettings,
  OLD_TOKEN_FIELDS,
  TOKEN_FIELDS,
  TOKEN_TEXTS,
  type TokenSettings,
} from '../../method/index.ts';
import {
  described,
  type Field,
  type FieldSet,
  flag,
  initialValues,
  integer,
  list,
  pairs,
  parseFields,
  seconds,
  signedSeconds,
  text,
  type Values,
} from '../../operation/fields.ts';
import { component, optionals, shownFields } from '../../operation/schema.ts';
import { boundClaims } from './map-fields.ts';

const mappings: Field<Readonly<Record<string, string>> | null> = { ...pairs(), initial: null };

const ROLE_FIELDS = {
  role_type: text('jwt'),
  user_claim: text(),
  user_claim_json_pointer: flag(),
  bound_audiences: list(),
  bound_subject: text(),
  bound_claims_type: text('string'),
  bound_claims: boundClaims(),
  claim_mappings: mappings,
  groups_claim: text(),
  clock_skew_leeway: signedSeconds(),
  expiration_leeway: signedSeconds(),
  not_before_leeway: signedSeconds(),
  allowed_redirect_uris: list(),
  oidc_scopes: list(),
  oauth2_metadata: list(),
  max_age: seconds(),
  verbose_oidc_logging: flag(),
  ...TOKEN_FIELDS,
} satisfies FieldSet;

export const WRITABLE_FIELDS = described(
  { ...ROLE_FIELDS, ...OLD_TOKEN_FIELDS, num_uses: integer() },
  {
    role_type: '`jwt`, the only supported type.',
    user_claim: 'Claim that becomes the alias name.',
    user_claim_json_pointer: 'Whether user_claim is a JSON pointer.',
    bound_audiences: 'Accepted audiences; the aud claim must contain one. Empty: the token must have no aud claim.',
    bound_subject: 'Expected sub claim. Empty: any.',
    bound_claims_type: '`string`, or `glob`: a * in bound_claims matches any characters.',
    bound_claims: 'Expected values of claims, by name or JSON pointer: one value, or a list of accepted ones.',
    claim_mappings: 'Metadata keys of tokens, by name or JSON pointer of the claim.',
    groups_claim: "Claim, or JSON pointer to it, with the names of the entity's external groups.",
    clock_skew_leeway: 'Tolerated clock difference; 0: one minute, -1: none.',
    expiration_leeway: 'Lifetime of a token without exp; 0: 150 seconds, -1: none.',
    not_before_leeway: 'Time before exp at which a token without nbf and iat becomes valid; 0: 150 seconds, -1: none.',
    allowed_redirect_uris: 'Stored and returned; no effect.',
    oidc_scopes: 'Stored and returned; no effect.',
    oauth2_metadata: 'Stored and returned; no effect.',
    max_age: 'Stored and returned; no effect.',
    verbose_oidc_logging: 'Stored and returned; no effect, because tokens are never logged.',
    ...TOKEN_TEXTS,
    num_uses: 'Former name of token_num_uses.',
  },
);

const OLD_NAMES = [...Object.keys(OLD_TOKEN_FIELDS), 'num_uses'];
const SHOWN = shownFields(WRITABLE_FIELDS);

export const JwtRole = component(
  'JwtRole',
  { ...SHOWN, ...optionals(SHOWN, OLD_NAMES) },
  'Which JWTs of the issuer may log in, and the settings of the tokens that they get.',
);

/** Settings of a role, as stored. Durations are in seconds. */
export type JwtRoleSettings = Readonly<Values<typeof ROLE_FIELDS>> & TokenSettings;

const INITIAL: JwtRoleSettings = { ...initialValues(ROLE_FIELDS), old_names: [] };

/** Parses stored settings. Fields added since then get their initial value. */
export function storedRole(json: string): JwtRoleSettings {
  return { ...INITIAL, ...(JSON.parse(json) as Partial<JwtRoleSettings>) };
}

/** Metadata key of a token for the role of its login. */
export const ROLE_IN_METADATA = 'role';

/**
 * Parses a write and returns the change, which merges: absent fields keep their value.
 * @throws AppError bad-request, now or from the returned function
 */
export function roleWrite(
  body: Readonly<Record<string, unknown>>,
): (stored: JwtRoleSettings | undefined) => JwtRoleSettings {
  const { values } = parseFields(WRITABLE_FIELDS, body);
  return (stored) => {
    const merged = mergeSettings(stored ?? INITIAL, values);
    const settings = checkedTokenSettings({
      ...merged,
      role_type: merged.role_type || 'jwt',
      bound_claims_type: merged.bound_claims_type || 'string',
    });
    checkRole(settings);
    return settings;
  };
}

/** @limit entries of each list of a JWT role (audiences; mappings; redirect URIs; scopes), entries -> 400 */
const MAX_LIST = 1_000;
/** @limit any other text of a JWT role, and each entry of its lists, characters -> 400 */
const MAX_TEXT = 2_048;

function checkRole(role: JwtRoleSettings): void {
  const { role_type: type, bound_claims_type: kind, bound_claims: bound, claim_mappings: mapped } = role;
  if (type === 'oidc') refuse("the browser flow is not supported: 'role_type' must be 'jwt'");
  if (type !== 'jwt') refuse("invalid 'role_type'");
  if (kind !== 'string' && kind !== 'glob') refuse("invalid 'bound_claims_type'");
  if (kind === 'glob' && !Object.values(bound ?? {}).every(isText)) refuse('globs in bound_claims must be strings');
  if (role.user_claim === '') refuse('a user claim must be defined on the role');
  checkMappings(mapped ?? {});
  checkSizes(role);
  const isBound =
    role.bound_subject !== '' || [role.bound_audiences ?? [], role.token_bound_cidrs].some((l) => l.length);
  if (!isBound && Object.keys(bound ?? {}).length === 0) {
    refuse('must have at least one bound constraint when creating/updating a role');
  }
}

const isText = (value: unknown): boolean => [value].flat().every((one) => typeof one === 'string');

function checkMappings(mapped: Readonly<Record<string, string>>): void {
  const targets = Object.values(mapped);
  if (targets.length > MAX_LIST) refuse(`'claim_mappings' may have at most ${MAX_LIST} entries`);
  if (targets.includes(ROLE_IN_METADATA)) {
    refuse(`metadata key "${ROLE_IN_METADATA}" is reserved and may not be a mapping destination`);
  }
  if (new Set(targets).size < targets.length) refuse('multiple claims are mapped to one metadata key');
}

function checkSizes({ claim_mappings: mapped, ...role }: JwtRoleSettings): void {
  const lists = ['bound_audiences', 'allowed_redirect_uris', 'oidc_scopes', 'oauth2_metadata'] as const;
  for (const name of lists)
    if ((role[name]?.length ?? 0) > MAX_LIST) refuse(`'${name}' may have at most ${MAX_LIST} entries`);
  const texts = [role.user_claim, role.bound_subject, role.groups_claim, ...lists.flatMap((name) => role[name] ?? [])];
  const all = [...texts, ...Object.entries(mapped ?? {}).flat()];
  if (all.some(({ length }) => length > MAX_TEXT)) refuse(`a text of a role may have at most ${MAX_TEXT} characters`);
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
