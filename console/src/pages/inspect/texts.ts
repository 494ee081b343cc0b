/** Texts of the inspect page. */
// Texts of Chain.tsx
export const certificateChain = 'Certificate chain';
export const theCertificate = 'the certificate';
export const presentedWithTheCertificate = 'presented with the certificate';
export const valid = 'Valid';
export const issuer = 'Issuer';
export const dns = 'DNS';
export const email = 'Email';
export const uri = 'URI';
export const ip = 'IP address';
export const otherNames = 'Other names';
export const organizationalUnit = 'Organizational unit';
export const keyPurposes = 'Key purposes';
export const serial = 'Serial';
export const sha256 = 'SHA-256';
export const fingerprint = 'fingerprint';
export const to = (from: string, to: string) => `${from} to ${to}`;
export const expired = ', expired';
export const notYetValid = ', not yet valid';
// Texts of InspectPage.tsx
export const access = 'Access';
export const certificateInspector = 'Certificate inspector';
export const showsWhichRolesWould =
  'Shows which roles would accept a certificate, and why others refuse it. Nothing is logged in or stored.';
export const certificate = 'Certificate';
export const pastedText = 'Pasted text';
export const certificate2 = 'certificate';
export const inspectAnother = 'Inspect another…';
export const inspect = 'Inspect';
export const role = 'Role';
export const checksOnlyThisRole = 'Checks only this role. Leave empty to check the first hundred.';
export const theVerdicts = 'The verdicts';
export const withGroups = (summary: string, groups: readonly string[]) => `${summary}; groups: ${groups.join(', ')}`;
export const rolesOfAuth = (mount: string) => `Roles of auth/${mount}`;
export const createARoleFor = 'Create a role for this certificate…';
export const alias = 'Alias';
export const evaluatedForALoginAt = ', evaluated for a login at';
export const aLoginWithoutA = (error: string) => `A login without a role name is still refused: ${error}`;
