import { mergeSettings, OLD_TOKEN_FIELDS, TOKEN_FIELDS, TOKEN_TEXTS, type TokenSettings } from '../../method/index.ts';
import {
  described,
  type FieldSet,
  flag,
  initialValues,
  integer,
  list,
  pem,
  seconds,
  text,
  type Values,
} from '../../operation/fields.ts';
import * as is from '../../operation/schema.ts';
import { component, optionals, shownFields } from '../../operation/schema.ts';

/** The fields of a role (spec §2.2). */
const ROLE_FIELDS = {
  certificate: pem(),
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
  ocsp_ca_certificates: pem(),
  ocsp_servers_override: list(),
  ocsp_fail_open: flag(),
  ocsp_this_update_max_age: seconds(),
  ocsp_max_retries: integer(4),
  ocsp_query_all_servers: flag(),
  ...TOKEN_FIELDS,
} satisfies FieldSet;

export const WRITABLE_FIELDS = described(
  { ...ROLE_FIELDS, ...OLD_TOKEN_FIELDS, lease: seconds() },
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
    ...TOKEN_TEXTS,
    lease: 'An older name of token_ttl.',
  },
);

const OLD_NAMES = Object.keys(OLD_TOKEN_FIELDS);
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
export type RoleSettings = Readonly<Values<typeof ROLE_FIELDS>> & TokenSettings;

type Written = Partial<Values<typeof WRITABLE_FIELDS>>;

export const INITIAL_SETTINGS: RoleSettings = { ...initialValues(ROLE_FIELDS), old_names: [] };

/** Settings that an older version stored, with what has come since at its initial value. */
export function storedSettings(json: string): RoleSettings {
  return { ...INITIAL_SETTINGS, ...(JSON.parse(json) as Partial<RoleSettings>) };
}

/** What a write names over what is stored. */
export function mergeWritten(stored: RoleSettings, { lease, ...written }: Written): RoleSettings {
  const named = lease && written.ttl === undefined && written.token_ttl === undefined;
  return mergeSettings(stored, named ? { ...written, ttl: lease } : written);
}
