import { component, flag, integer, listOf, optional, orNull, text, texts, time, word } from '../../operation/schema.ts';

const Verdict = component(
  'CertVerdict',
  {
    check: text(),
    outcome: word(['passed', 'refused']),
    certificate: optional(
      component('CertVerdictPlace', { index: integer('Position in the path; 0 is the leaf.'), subject: text() }),
    ),
    expected: text(),
    actual: text(),
    hint: optional(text('How to fix it.')),
  },
  'Result of one check of a login.',
);

const Path = component('CertExplainedPath', {
  certificates: texts('Subjects, leaf first.'),
  admitted: flag(),
  verdicts: listOf(Verdict),
});

const Role = component('CertExplainedRole', {
  role: text(),
  admitted: flag(),
  paths: listOf(Path, 'All valid paths to a CA of the role.'),
  rejected: listOf(Verdict, 'Why other paths are not valid.'),
  groups: texts('External groups in the certificate.'),
  warnings: texts('Patterns of the role that no certificate can match.'),
});

const Certificate = component('CertDescription', {
  subject: text('RFC 4514'),
  issuer: text('RFC 4514'),
  serial_number: text('Decimal.'),
  not_before: time(),
  not_after: time(),
  common_name: orNull(text()),
  dns_sans: texts(),
  email_sans: texts(),
  uri_sans: texts(),
  ip_sans: texts(),
  other_sans: texts('OtherName SANs, as in `allowed_other_sans` of a role.'),
  organizational_units: texts(),
  extended_key_usage: orNull(texts('Key purposes, names or OIDs. Null: not restricted.')),
  fingerprint: text('SHA-256, in hexadecimal digits.'),
});

/** Response of `login/explain`. */
export const CertExplanation = component(
  'CertExplanation',
  {
    certificates: listOf(Certificate),
    alias_name: text('Name of the alias for this certificate.'),
    admitted: flag('Whether the login would succeed.'),
    role: orNull(text('Role that the login would use. Null if the login would be refused.')),
    error: orNull(text('Error message of the login. Null if it would succeed.')),
    verdicts: listOf(Verdict, 'Verdicts that refuse the login regardless of the roles.'),
    roles: listOf(Role),
    roles_left_out: integer('Number of roles that are not shown.'),
  },
  'Why a login would succeed or fail, for each role, path and check.',
);
