/** Texts of the certificate component. */
export const texts = {
  // Texts of CertificateArea.tsx
  certificates: 'Certificates',
  pemTheCertificateFirst: 'PEM: the certificate first, then its intermediates. Paste the text, or drop a file.',
  chooseAFile: 'Choose a file…',
  // Texts of Mount.tsx
  mount: 'Mount',
  // Texts of pem.ts
  theTextContainsA:
    'The text contains a private key. Nothing was sent. Remove the key and try again with certificates only.',
  pasteACertificateFirst: 'Paste a certificate first',
  theTextContainsNo: 'The text contains no certificate. A certificate starts with -----BEGIN CERTIFICATE-----',
  // Texts of verdicts.ts
  checksPassed: (number: number) => `${number} checks passed`,
  noChainReachesTheCa: 'no chain reaches the CA',
  ofChecksFailed: (length: number, all: number, names: string) => `${length} of ${all} checks failed: ${names}`,
};
