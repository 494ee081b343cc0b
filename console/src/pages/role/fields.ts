import { type FieldGroups, field, TOKEN_FIELDS } from '../../components/role/fields.ts';
import * as texts from './texts.ts';

/** Fields of a role with the API's names. Rare fields can be set with `lockkeeper write`. */
export const GROUPS: FieldGroups = [
  [
    texts.ca,
    [field('code', 'certificate', texts.pemOfTheCa), field('text', 'display_name', texts.displayNameOfItsTokens)],
  ],
  [
    texts.names,
    [
      field('lines', 'allowed_common_names', texts.patternsOneOnEach),
      field('lines', 'allowed_dns_sans'),
      field('lines', 'allowed_email_sans'),
      field('lines', 'allowed_uri_sans'),
      field('lines', 'allowed_organizational_units'),
      field('lines', 'allowed_organizations'),
      field('lines', 'allowed_ip_sans', texts.ipAddressesOneOn),
      field('lines', 'allowed_other_sans', texts.upnPatternOneOn),
      field('lines', 'allowed_subject_attributes', texts.attributePatternOneOn),
      field('lines', 'required_extensions', texts.oidPatternOneOn),
      { ...field('lines', 'extended_key_usage', texts.keyPurposesOneOn), initial: 'ClientAuth' },
    ],
  ],
  [texts.groups, [field('lines', 'group_sources', texts.groupSourceOneOn)]],
  [
    texts.revocation,
    [
      field('flag', 'ocsp_enabled', texts.asksTheOcspResponder),
      field('flag', 'ocsp_fail_open', texts.acceptsTheCertificateIf),
      field('lines', 'ocsp_servers_override'),
    ],
  ],
  [texts.token, TOKEN_FIELDS],
];
