/** The cert auth method: machines log in with client certificates. */
export { CertMethod } from './cert-method.ts';
export { type CaExpiries, CertMethods, type RevocationMetrics } from './cert-methods.ts';
export { type CertificateLogin, CertificateLogins } from './certificate-logins.ts';
export { type CrlMetrics, crlFacts } from './crl/index.ts';
export { responderFacts } from './role/responder-facts.ts';
