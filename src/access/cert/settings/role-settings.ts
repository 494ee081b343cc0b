import {
  described,
  type FieldSet,
  flag,
  initialValues,
  integer,
  list,
  listOrEmpty,
  seconds,
  text,
  type Values,
} from '../../operation/fields.ts';
import * as is from '../../operation/schema.ts';
import { component, optionals, shownFields } from '../../operation/schema.ts';

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
  ocsp_ca_certificates: text(),
  ocsp_servers_override: list(),
  ocsp_fail_open: flag(),
  ocsp_this_update_max_age: seconds(),
  ocsp_max_retries: integer(4),
  ocsp_query_all_servers: flag(),
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

/** Names from before the `token_` ones. They set the same things. */
const OLD_FIELDS = {
  policies: listOrEmpty(),
  ttl: seconds(),
  max_ttl: seconds(),
  period: seconds(),
  bound_cidrs: listOrEmpty(),
  lease: seconds(),
} satisfies FieldSet;

export const WRITABLE_FIELDS = described(
  { ...ROLE_FIELDS, ...OLD_FIELDS },
  {
    certificate: 'The authorities that let in, in PEM.',
    display_name: 'The display name of tokens. Empty: the name of the role.',
    allowed_names: 'Deprecated: patterns of common and alternative names. Unset: all.',
    allowed_common_names: 'Patterns of common names, one of which has to fit. Unset: all.',
    allowed_dns_sans: 'Patterns of DNS names, one of which has to fit. Unset: all.',
    allowed_email_sans: 'Patterns of e-mail addresses, one of which has to fit. Unset: all.',
    allowed_uri_sans: 'Patterns of URIs, one of which has to fit. Unset: all.',
    allowed_organizational_units: 'Patterns of organizational units, one of which has to fit. Unset: all.',
    required_extensions: 'oid:value, or hex:oid:value, with * in the value; all of them have to be met.',
    allowed_metadata_extensions: 'OIDs of extensions that become metadata, with dashes for dots.',
    ocsp_enabled: 'Whether OCSP is asked about certificates.',
    ocsp_ca_certificates: 'Certificates of responders, PEM in base64.',
    ocsp_servers_override: 'Responders that are asked in place of those that certificates name.',
    ocsp_fail_open: 'Whether a login goes on when no responder knows.',
    ocsp_this_update_max_age: 'How old an answer of a responder may be; 0: as old as it says itself.',
    ocsp_max_retries: 'How often a responder is asked again.',
    ocsp_query_all_servers: 'Whether all responders have to agree.',
    token_bound_cidrs: 'Where logins may come from, and tokens be used from.',
    token_explicit_max_ttl: 'How long tokens can live however often they are renewed; 0: no limit.',
    token_max_ttl: 'How long tokens can live; 0: as long as the mount says.',
    token_no_default_policy: 'Whether tokens go without the default policy.',
    token_num_uses: 'How often a token can be used; 0: no limit.',
    token_period: 'What each renewal gives a token, without an end to that; 0: it has a maximum.',
    token_policies: 'Policies of tokens.',
    token_ttl: 'How long tokens live; 0: as long as the mount says.',
    token_strictly_bind_ip: 'Whether tokens can be used only from where the login came from.',
    token_type: 'service, batch, or default, which is what the mount says.',
    policies: 'The old name of token_policies.',
    ttl: 'The old name of token_ttl.',
    max_ttl: 'The old name of token_max_ttl.',
    period: 'The old name of token_period.',
    bound_cidrs: 'The old name of token_bound_cidrs.',
    lease: 'An older name of token_ttl.',
  },
);

const NEW_NAMES = {
  policies: 'token_policies',
  ttl: 'token_ttl',
  max_ttl: 'token_max_ttl',
  period: 'token_period',
  bound_cidrs: 'token_bound_cidrs',
} as const;
type OldName = keyof typeof NEW_NAMES;
const OLD_NAMES = Object.keys(NEW_NAMES) as OldName[];

const { lease: _, ...SHOWN } = shownFields(WRITABLE_FIELDS);

export const CertRole = component(
  'CertRole',
  { ...SHOWN, ...optionals(SHOWN, OLD_NAMES) },
  'What certificates a role lets in, and what their tokens may.',
);

/** The same in a list. */
export const CertRoleInfo = component(
  'CertRoleInfo',
  {
    ...SHOWN,
    ...optionals(SHOWN, OLD_NAMES),
    authorities: is.listOf(
      component('CertRoleAuthority', { subject: is.text('RFC 4514'), not_after: is.time() }),
      'Whose certificates it lets in; or the one certificate that it does.',
    ),
  },
  'A role, and until when its authorities are good.',
);

/** What a role says, as it is stored. Lengths of time are seconds. */
export type RoleSettings = Readonly<Values<typeof ROLE_FIELDS>> & {
  /** Old names under which a value was last written: a read shows it under both. */
  readonly old_names: readonly OldName[];
};

type Written = Partial<Values<typeof WRITABLE_FIELDS>>;

export const INITIAL_SETTINGS: RoleSettings = { ...initialValues(ROLE_FIELDS), old_names: [] };

/** Settings that an older version stored, with what has come since at its initial value. */
export function storedSettings(json: string): RoleSettings {
  return { ...INITIAL_SETTINGS, ...(JSON.parse(json) as Partial<RoleSettings>) };
}

/** What a write names over what is stored. Where it names a thing by both names, the new one wins. */
export function mergeSettings(stored: RoleSettings, written: Written): RoleSettings {
  const { policies, ttl, max_ttl, period, bound_cidrs, lease, ...named } = written;
  const byOldName = { policies: policies?.map((name) => name.trim().toLowerCase()), ttl, max_ttl, period, bound_cidrs };
  if (lease && ttl === undefined && named.token_ttl === undefined) byOldName.ttl = lease;
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
  return { ...(settings as RoleSettings), old_names: [...oldNames].sort() };
}

/** What a read shows: every field, and under its old name what was written by it and is set. */
export function readBack(settings: RoleSettings): Record<string, unknown> {
  const { old_names: oldNames, ...fields } = settings;
  const shown: Record<string, unknown> = { ...fields };
  for (const old of oldNames) {
    const value = settings[NEW_NAMES[old]];
    if (typeof value === 'number' ? value > 0 : value.length > 0) shown[old] = value;
  }
  return shown;
}
