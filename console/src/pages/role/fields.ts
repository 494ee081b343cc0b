import { type FieldGroups, field, TOKEN_FIELDS } from '../../components/role/fields.ts';

/** In the words of the API; what is rarely set stays with `lockkeeper write`. */
export const GROUPS: FieldGroups = [
  [
    'Who may issue',
    [
      field('code', 'certificate', 'PEM of the authority, or of several.'),
      field('text', 'display_name', 'What its tokens are called.'),
    ],
  ],
  [
    'Names',
    [
      field('lines', 'allowed_common_names', 'Patterns, one in a line; * for any characters. Empty: any.'),
      field('lines', 'allowed_dns_sans'),
      field('lines', 'allowed_email_sans'),
      field('lines', 'allowed_uri_sans'),
      field('lines', 'allowed_organizational_units'),
      field('lines', 'required_extensions', 'oid:pattern, one in a line.'),
    ],
  ],
  [
    'Revocation',
    [
      field('flag', 'ocsp_enabled', 'Ask the responder of its authority at each login.'),
      field('flag', 'ocsp_fail_open', 'Let in when no responder answers.'),
      field('lines', 'ocsp_servers_override'),
    ],
  ],
  ['Token', TOKEN_FIELDS],
];
