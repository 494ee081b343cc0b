import { mergeSettings, OLD_TOKEN_FIELDS, TOKEN_FIELDS, TOKEN_TEXTS, type TokenSettings } from '../../method/index.ts';
import {
  described,
  type FieldSet,
  flag,
  initialValues,
  integer,
  list,
  listOrEmpty,
  pem,
  seconds,
  text,
  type Values,
} from '../../operation/fields.ts';
import * as is from '../../operation/schema.ts';
import { component, optionals, shownFields } from '../../operation/schema.ts';
import { keyPurposes } from './key-purposes.ts';

/** Fields of a role (spec §2.2). */
const ROLE_FIELDS = {
  certificate: pem(),
  display_name: text(),
  allowed_names: list(),
  allowed_common_names: list(),
  allowed_dns_sans: list(),
  allowed_email_sans: list(),
  allowed_uri_sans: list(),
  allowed_organizational_units: list(),
  allowed_organizations: list(),
  allowed_ip_sans: list(),
  allowed_other_sans: list(),
  allowed_subject_attributes: list(),
  extended_key_usage: keyPurposes(),
  required_extensions: list(),
  allowed_metadata_extensions: list(),
  group_sources: listOrEmpty(),
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
    certificate: 'CA certificates (PEM) whose client certificates may log in.',
    display_name: 'Display name of tokens. Empty: the name of the role.',
    allowed_names: 'Deprecated: patterns for common names and alternative names. Unset: all are allowed.',
    allowed_common_names: 'Patterns for the common name; one must match. Unset: all are allowed.',
    allowed_dns_sans: 'Patterns for DNS names; one must match. Unset: all are allowed.',
    allowed_email_sans: 'Patterns for email addresses; one must match. Unset: all are allowed.',
    allowed_uri_sans: 'Patterns for URIs; one must match. Unset: all are allowed.',
    allowed_organizational_units: 'Patterns for organizational units; one must match. Unset: all are allowed.',
    allowed_organizations: 'Patterns for organizations; one must match. Unset: all are allowed.',
    allowed_ip_sans: 'IP addresses and CIDR blocks; one must contain an IP SAN. Unset: all are allowed.',
    allowed_other_sans: 'UPN:pattern, oid:pattern or hex:oid:pattern for otherName SANs; one must match.',
    allowed_subject_attributes: 'name=pattern or oid=pattern; each named attribute must match one of its patterns.',
    extended_key_usage: 'Key purposes, names or OIDs; the chain must allow one. Empty: any purpose.',
    required_extensions: 'oid:value or hex:oid:value, with * in the value. All must match.',
    allowed_metadata_extensions: 'OIDs of extensions to copy into the metadata, with dashes instead of dots.',
    group_sources: 'Parts of the certificate with the names of external groups: source or source:pattern.',
    ocsp_enabled: 'Whether to check certificates with OCSP.',
    ocsp_ca_certificates: 'Certificates of OCSP responders, base64-encoded PEM.',
    ocsp_servers_override: 'URLs of OCSP responders, instead of those in the certificates.',
    ocsp_fail_open: 'Whether a login succeeds if no responder knows the status.',
    ocsp_this_update_max_age: 'Maximum age of an OCSP response; 0: as the response says.',
    ocsp_max_retries: 'Number of retries for each responder.',
    ocsp_query_all_servers: 'Whether all responders must agree.',
    ...TOKEN_TEXTS,
    lease: 'Former name of token_ttl.',
  },
);

const OLD_NAMES = Object.keys(OLD_TOKEN_FIELDS);
const { lease: _, ...SHOWN } = shownFields(WRITABLE_FIELDS);

export const CertRole = component(
  'CertRole',
  { ...SHOWN, ...optionals(SHOWN, OLD_NAMES) },
  'Which client certificates may log in, and the settings of their tokens.',
);

/** A role in a list. */
export const CertRoleInfo = component(
  'CertRoleInfo',
  {
    ...SHOWN,
    ...optionals(SHOWN, OLD_NAMES),
    authorities: is.listOf(
      component('CertRoleAuthority', { subject: is.text('RFC 4514'), not_after: is.time() }),
      'CA certificates of the role, or the client certificates that it contains.',
    ),
  },
  'A role with the expiry of its CA certificates.',
);

/** Settings of a role, as stored. Durations are in seconds. */
export type RoleSettings = Readonly<Values<typeof ROLE_FIELDS>> & TokenSettings;

type Written = Partial<Values<typeof WRITABLE_FIELDS>>;

export const INITIAL_SETTINGS: RoleSettings = { ...initialValues(ROLE_FIELDS), old_names: [] };

/** Parses stored settings. Fields added since then get their initial value. */
export function storedSettings(json: string): RoleSettings {
  return { ...INITIAL_SETTINGS, ...(JSON.parse(json) as Partial<RoleSettings>) };
}

/** Merges a write into the stored settings. */
export function mergeWritten(stored: RoleSettings, { lease, ...written }: Written): RoleSettings {
  const named = lease && written.ttl === undefined && written.token_ttl === undefined;
  return mergeSettings(stored, named ? { ...written, ttl: lease } : written);
}
