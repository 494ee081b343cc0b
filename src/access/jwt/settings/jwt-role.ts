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
    role_type: '`jwt`, the only one that there is.',
    user_claim: 'The claim that names the alias.',
    user_claim_json_pointer: 'Whether user_claim is a JSON pointer.',
    bound_audiences: 'The aud claim has to have one of these. None: there must be no such claim.',
    bound_subject: 'What the sub claim has to be. Empty: anything.',
    bound_claims_type: '`string`, or `glob`: a * in bound_claims stands for any run of characters.',
    bound_claims: 'By name or JSON pointer, what claims have to be: a value, or a list of which one is there.',
    claim_mappings: 'By name or JSON pointer of a claim, what it is called in the metadata of tokens.',
    groups_claim: 'The claim, or a JSON pointer to it, that names the external groups that the entity is in.',
    clock_skew_leeway: 'How far clocks may differ; 0: a minute, -1: not at all.',
    expiration_leeway: 'How long a token is good that has no end; 0: 150 seconds, -1: none.',
    not_before_leeway: 'From how long before its end a token is good that has no beginning; 0: 150 seconds, -1: none.',
    allowed_redirect_uris: 'Kept and shown.',
    oidc_scopes: 'Kept and shown.',
    oauth2_metadata: 'Kept and shown.',
    max_age: 'Kept and shown.',
    verbose_oidc_logging: 'Kept and shown: nothing of tokens is ever logged.',
    ...TOKEN_TEXTS,
    num_uses: 'The old name of token_num_uses.',
  },
);

const OLD_NAMES = [...Object.keys(OLD_TOKEN_FIELDS), 'num_uses'];
const SHOWN = shownFields(WRITABLE_FIELDS);

export const JwtRole = component(
  'JwtRole',
  { ...SHOWN, ...optionals(SHOWN, OLD_NAMES) },
  'Which tokens of the issuer a role lets in, and what their tokens here may.',
);

/** What a role says, as it is stored. Lengths of time are seconds. */
export type JwtRoleSettings = Readonly<Values<typeof ROLE_FIELDS>> & TokenSettings;

const INITIAL: JwtRoleSettings = { ...initialValues(ROLE_FIELDS), old_names: [] };

/** Settings that an older version stored, with what has come since at its initial value. */
export function storedRole(json: string): JwtRoleSettings {
  return { ...INITIAL, ...(JSON.parse(json) as Partial<JwtRoleSettings>) };
}

/** Where the metadata of a token says by which role it came. */
export const ROLE_IN_METADATA = 'role';

/**
 * What a write makes of a role: what the body does not name stays as it is.
 * @throws AppError bad-request, now or when it is carried out
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

/** @limit audiences, mappings, redirect URIs and scopes of a role, entries of each -> 400 */
const MAX_LIST = 1_000;
/** @limit any other text of a role, and of each entry of its lists, characters -> 400 */
const MAX_TEXT = 2_048;

function checkRole(role: JwtRoleSettings): void {
  const { role_type: type, bound_claims_type: kind, bound_claims: bound, claim_mappings: mapped } = role;
  if (type === 'oidc') refuse("there is no sign-in by browser here: 'role_type' must be 'jwt'");
  if (type !== 'jwt') refuse("invalid 'role_type'");
  if (kind !== 'string' && kind !== 'glob') refuse("invalid 'bound_claims_type'");
  if (kind === 'glob' && !Object.values(bound ?? {}).every(isText)) refuse('globs in bound_claims have to be texts');
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
  if (targets.length > MAX_LIST) refuse(`'claim_mappings' has at most ${MAX_LIST} entries`);
  if (targets.includes(ROLE_IN_METADATA)) {
    refuse(`metadata key "${ROLE_IN_METADATA}" is reserved and may not be a mapping destination`);
  }
  if (new Set(targets).size < targets.length) refuse('multiple claims are mapped to one metadata key');
}

function checkSizes({ claim_mappings: mapped, ...role }: JwtRoleSettings): void {
  const lists = ['bound_audiences', 'allowed_redirect_uris', 'oidc_scopes', 'oauth2_metadata'] as const;
  for (const name of lists)
    if ((role[name]?.length ?? 0) > MAX_LIST) refuse(`'${name}' has at most ${MAX_LIST} entries`);
  const texts = [role.user_claim, role.bound_subject, role.groups_claim, ...lists.flatMap((name) => role[name] ?? [])];
  const all = [...texts, ...Object.entries(mapped ?? {}).flat()];
  if (all.some(({ length }) => length > MAX_TEXT)) refuse(`a text of a role has at most ${MAX_TEXT} characters`);
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
