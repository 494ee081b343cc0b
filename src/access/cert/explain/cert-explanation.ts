import { component, flag, integer, listOf, optional, orNull, text, texts, time, word } from '../../operation/schema.ts';

const Verdict = component(
  'CertVerdict',
  {
    check: text(),
    outcome: word(['passed', 'refused']),
    certificate: optional(
      component('CertVerdictPlace', { index: integer('Its place in the path; 0 is the leaf.'), subject: text() }),
    ),
    expected: text(),
    actual: text(),
    hint: optional(text('What to do about it.')),
  },
  'One check of a login.',
);

const Path = component('CertExplainedPath', {
  certificates: texts('Subjects, the leaf first.'),
  admitted: flag(),
  verdicts: listOf(Verdict),
});

const Role = component('CertExplainedRole', {
  role: text(),
  admitted: flag(),
  paths: listOf(Path, 'Every valid path to an authority of the role.'),
  rejected: listOf(Verdict, 'What stood in the way of other paths.'),
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
  organizational_units: texts(),
  fingerprint: text('SHA-256, in hexadecimal digits.'),
});

/** What `login/explain` answers. */
export const CertExplanation = component(
  'CertExplanation',
  {
    certificates: listOf(Certificate),
    alias_name: text('What the certificate is called by.'),
    admitted: flag('Whether the login would succeed.'),
    role: orNull(text('The role that the login would be by; null where it is refused.')),
    error: orNull(text('What the login would answer; null where it succeeds.')),
    verdicts: listOf(Verdict, 'What refuses the login whatever the roles say.'),
    roles: listOf(Role),
    roles_left_out: integer('Roles beyond those that are shown.'),
  },
  'Why a login would succeed or fail: role by role, path by path, check by check.',
);
