/** Texts of the certificate component. */
// Texts of CertificateArea.tsx
export const certificates = 'Certificates';
export const pemTheCertificateFirst =
  'PEM: the certificate first, then its intermediates. Paste the text, or drop a file.';
export const chooseAFile = 'Choose a file…';
// Texts of Mount.tsx
export const mount = 'Mount';
// Texts of pem.ts
export const theTextContainsA =
  'The text contains a private key. Nothing was sent. Remove the key and try again with certificates only.';
export const pasteACertificateFirst = 'Paste a certificate first';
export const theTextContainsNo =
  'The text contains no certificate. A certificate starts with -----BEGIN CERTIFICATE-----';
// Texts of verdicts.ts
export const checksPassed = (number: number) => `${number} checks passed`;
export const noChainReachesTheCa = 'no chain reaches the CA';
export const ofChecksFailed = (length: number, all: number, names: string) =>
  `${length} of ${all} checks failed: ${names}`;
