/** Texts of the role page. */
// Texts of RolePage.tsx
export const inspectACertificate = 'Inspect a certificate';
export const filledInFromThe =
  'Filled in from the inspected certificate. Review the values before you create the role.';
export const definesWhichCertificatesAuthAccepts = (mount: string) =>
  `Defines which certificates auth/${mount} accepts.`;
// Texts of fields.ts
export const ca = 'CA';
export const pemOfTheCa = 'PEM of the CA certificate, or of several.';
export const displayNameOfItsTokens = 'Display name of its tokens.';
export const names = 'Names';
export const patternsOneOnEach = 'Patterns, one on each line; * matches any characters. Empty: any.';
export const oidPatternOneOn = 'oid:pattern, one on each line.';
export const ipAddressesOneOn = 'IP addresses and CIDR blocks, one on each line.';
export const upnPatternOneOn = 'UPN:pattern, oid:pattern or hex:oid:pattern, one on each line.';
export const attributePatternOneOn =
  'UID=pattern, O=pattern or oid=pattern, one on each line. Each attribute must match one of its patterns.';
export const keyPurposesOneOn =
  'Accepted key purposes, one on each line: ClientAuth, ServerAuth or an OID. Empty: any.';
export const groups = 'Groups';
export const groupSourceOneOn =
  'Names of external groups, one source on each line: subject:OU, uri_san:pattern, extension:oid …';
export const revocation = 'Revocation';
export const asksTheOcspResponder = 'Asks the OCSP responder of the CA at each login.';
export const acceptsTheCertificateIf = 'Accepts the certificate if no responder answers.';
export const token = 'Token';
