/** Texts of the role page. */
export const texts = {
  // Texts of RolePage.tsx
  access: 'Access',
  roles: 'Roles',
  theRole: (role: string) => `The role ${role}`,
  aRoleOfAuth: (mount: string) => `A role of auth/${mount}.`,
  inspectACertificate: 'Inspect a certificate',
  newRole: 'New role',
  filledInFromThe: 'Filled in from the inspected certificate. Review the values before you create the role.',
  definesWhichCertificatesAuthAccepts: (mount: string) => `Defines which certificates auth/${mount} accepts.`,
  // Texts of fields.ts
  ca: 'CA',
  pemOfTheCa: 'PEM of the CA certificate, or of several.',
  displayNameOfItsTokens: 'Display name of its tokens.',
  names: 'Names',
  patternsOneOnEach: 'Patterns, one on each line; * matches any characters. Empty: any.',
  oidPatternOneOn: 'oid:pattern, one on each line.',
  revocation: 'Revocation',
  asksTheOcspResponder: 'Asks the OCSP responder of the CA at each login.',
  acceptsTheCertificateIf: 'Accepts the certificate if no responder answers.',
  token: 'Token',
};
