/** The cert auth method: machines log in with client certificates. */
export { CertMethod } from './cert-method.ts';
export { type AuthorityEndings, CertMethods, type RevocationFigures } from './cert-methods.ts';
export { type CertificateLogin, CertificateLogins } from './certificate-logins.ts';
export { type CrlFigures, crlFacts } from './crl/index.ts';
export { responderFacts } from './role/responder-facts.ts';
