import type { AcceptedClass, RefusedClass } from './comparison.ts';

/** Paths that Lockkeeper refuses and Go or OpenSSL accepts. The message begins with the check. */
export const REFUSED_PATHS: readonly RefusedClass[] = [
  {
    what: 'A negative serial number',
    reason: 'RFC 5280 §4.1.2.2 requires a positive number. Go does not read such a certificate',
    message: /^serial-number: -/,
    readByAll: true,
  },
  {
    what: 'A signature algorithm with parameters that are neither absent nor NULL',
    reason: 'Parameters can change the meaning of a signature',
    message: /^signature-algorithm: algorithm [\d.]+, which is unknown or has unusual parameters/,
    readByAll: true,
  },
  {
    what: 'A public key that is not encoded as its algorithm requires (an RSA key without NULL, with more elements, in BER)',
    reason: 'RFC 3279 §2.3 defines the encoding. Two encodings of one key would be two keys',
    message: /^public-key: (key of algorithm|malformed RSA key|RSA key whose parameters)/,
    readByAll: true,
  },
  {
    what: 'A name, or a constraint, that cannot be compared (a space, a wildcard inside, a dot in front of a name)',
    reason: 'Names that cannot be compared are refused, not ignored',
    message: /^name-constraints: malformed (name|constraint)/,
    readByAll: true,
  },
  {
    what: 'An issuer without a name',
    reason: 'RFC 5280 §4.1.2.4 requires a name that is not empty',
    message: /^issuer-name: an empty name/,
    readByAll: true,
  },
  {
    what: 'A CA without basic constraints',
    reason:
      'RFC 5280 §6.1.4 requires them: otherwise any client certificate could issue others. OpenSSL accepts it as a trust anchor',
    message: /^basic-constraints: no basic constraints/,
  },
  {
    what: 'A CA whose key usage has no bit set',
    reason: 'By RFC 5280 §4.2.1.3, keyCertSign is missing. Go treats it as a CA without key usage',
    message: /^key-usage: none/,
    readByAll: true,
  },
];

/** Paths that Lockkeeper accepts and Go or OpenSSL refuses. */
export const ACCEPTED_PATHS: readonly AcceptedClass[] = [
  {
    what: 'An issuer name in another type of string than the name of the CA, or with characters that RFC 4518 ignores',
    reason: 'Names are compared by RFC 5280 §7.1, and the signature is verified. Go compares bytes',
    refusedByAll: true,
    messages: { Go: /certificate signed by unknown authority/, OpenSSL: /unable to get local issuer certificate/ },
  },
  {
    what: 'A client key that is no point of its curve',
    reason: 'Such a client never reaches the validation: its TLS handshake fails',
    refusedByAll: true,
    messages: { OpenSSL: /unspecified certificate verification error/ },
  },
  {
    what: 'An email address that begins with a dot, below a constraint on its host',
    reason: 'The host of the address is compared',
    messages: { Go: /cannot parse rfc822Name/ },
  },
  {
    what: 'An empty constraint on email addresses or URIs',
    reason: 'It permits every host, as an empty one on DNS names does; Go reads it the same way',
    messages: { OpenSSL: /permitted subtree violation/ },
  },
];
