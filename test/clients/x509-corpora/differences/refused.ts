import type { RefusedClass } from './comparison.ts';

/** Inputs that Lockkeeper refuses and another reader accepts. The first class that matches counts. */
export const REFUSED: readonly RefusedClass[] = [
  {
    what: 'A signature or a key that is not a whole number of bytes',
    reason: 'no algorithm makes such a signature or key: it could never be verified',
    message: /^(signature|public key): BIT STRING is not a whole number of bytes/,
    readByAll: true,
  },
  {
    what: 'A CA or a client whose extensions are in version 1 or 2',
    reason:
      'RFC 5280 §4.1.2.9: extensions belong to version 3. Readers of version 1 do not look for them, so two readers differ in who is a CA',
    message: /^extensions in a certificate of version/,
    readByAll: true,
  },
  {
    what: 'Extensions in a CRL of version 1',
    reason: 'RFC 5280 §5.1.2.1: extensions belong to version 2',
    message: /extensions in a (list|CRL) of version 1/,
  },
  {
    what: 'A version that does not exist',
    reason: 'its fields may mean something else',
    message: /^version: (not one of 1 to 3|not that of version 2|unknown response version|negative INTEGER)/,
  },
  {
    what: 'Control characters (NUL, line end, DEL) or bytes beyond ASCII in a DNS name, email address or URI',
    reason: 'RFC 5280 §4.2.1.6: IA5String; a NUL or a line end hides part of the name in a log or in a comparison',
    message: /a name that is not printable ASCII/,
    readByAll: true,
  },
  {
    what: 'A name of more than 8 KiB',
    reason: 'a limit: comparing names takes work',
    message: /a name of more than 8192 bytes/,
    readByAll: true,
  },
  {
    what: 'An empty set of attributes in a name (an RDN without an attribute)',
    reason: 'X.501: one attribute at least. Nothing says which other name it is equal to',
    message: /an empty list of attributes/,
  },
  {
    what: 'A name constraint with a maximum, or a minimum above 0',
    reason:
      'RFC 5280 §4.2.1.10 forbids both. No reader enforces them: the constraint would permit or exclude other names than its CA wanted',
    message: /^name constraints: a subtree with a (maximum|minimum)/,
    readByAll: true,
  },
  {
    what: 'Name constraints without a subtree',
    reason: 'RFC 5280 §4.2.1.10: one at least. The CA wanted to constrain something, and nothing would be constrained',
    message: /^name constraints: (an empty list of subtrees|neither permitted nor excluded)/,
  },
  {
    what: 'An IP address, or a constraint on IP addresses, of another length',
    reason: 'neither IPv4 nor IPv6: it cannot be compared',
    message: /IP address (constraint )?of \d+ bytes/,
  },
  {
    what: 'A general name of a form that does not exist',
    reason: 'it cannot be compared; a constraint of that form would have no effect',
    message: /a general name with tag/,
  },
  {
    what: 'An empty extended key usage',
    reason: 'RFC 5280 §4.2.1.12: one purpose at least. It allows nothing, but Go takes it for any purpose',
    message: /^extended key usage: an empty list/,
  },
  {
    what: 'Empty policy constraints',
    reason:
      'RFC 5280 §4.2.1.11: one of the two fields at least. Go does not decode them, OpenSSL only when a policy is required',
    message: /^policy constraints: neither/,
  },
  {
    what: 'A negative count of certificates',
    reason: 'RFC 5280 §4.2.1.14: 0 or more',
    message: /negative INTEGER instead of a count/,
  },
  {
    what: 'Malformed policy mappings',
    reason: 'they are enforced here. Go and pyca do not decode them, OpenSSL only when a policy is required',
    message: /^policy mappings: (not DER|object identifier)/,
    readByAll: true,
  },
  {
    what: 'Malformed policies, policy constraints or inhibitAnyPolicy',
    reason: 'they are enforced here. Go decodes part of them, OpenSSL only when a policy is required',
    message: /^(certificate policies|policy constraints|inhibit any policy): (not DER|object identifier)/,
  },
  {
    what: 'Two algorithms that differ, inside and beside the signature, if only by a NULL',
    reason:
      'RFC 5280 §4.1.1.2: the same. The one beside the signature is not signed. Go refuses the certificate, and OpenSSL refuses its signature',
    message: /^signature algorithm: the one in the signed content differs from the one beside/,
  },
  {
    what: 'An extension of an OCSP answer twice',
    reason: 'which one counts would be a guess',
    kinds: ['ocsp'],
    message: /^(single response: extensions|response extensions): the same extension twice/,
    readByAll: true,
  },
  {
    what: 'An extension twice',
    reason: 'RFC 5280 §4.2: never. Which one counts would be a guess',
    message: /the same extension twice/,
  },
  {
    what: 'Unused bits of a key usage that are set',
    reason: 'X.690 §11.2.1: zero. Whether they count is in doubt. Go and pyca refuse them',
    message: /BIT STRING with unused bits that are not zero/,
  },
  {
    what: 'A string that its type cannot hold',
    reason: 'there is no text to compare; Go does not decode directory names there',
    message: /of an odd length|bytes that its type does not allow/,
  },
  {
    what: 'A time without seconds, with a fraction, or with an offset from UTC',
    reason: 'RFC 5280 §4.1.2.5 and RFC 6960: seconds and `Z`. pyca refuses all of them, Go some',
    message: /malformed time/,
  },
  {
    what: 'A time of OCSP that is no GeneralizedTime',
    reason: 'RFC 6960 has no other',
    kinds: ['ocsp'],
    message: /a time that is not a GeneralizedTime/,
  },
  {
    what: 'A CRL without an issuer',
    reason: 'no CA has that name',
    kinds: ['crl'],
    message: /^issuer: an empty name/,
    readByAll: true,
  },
  {
    what: 'A negative CRL number, or one of more than 20 bytes',
    reason: 'RFC 5280 §5.2.3. The number decides which of two lists is the newer one',
    kinds: ['crl'],
    message: /CRL number: /,
    readByAll: true,
  },
  {
    what: 'A delta CRL',
    reason: 'it says only what has changed',
    kinds: ['crl'],
    message: /^unusable: a delta list/,
    readByAll: true,
  },
  {
    what: 'A CRL of some reasons, of attribute certificates, or of end entities and CAs at once',
    reason: 'a certificate that is not on it may be revoked for another reason, or on another list',
    kinds: ['crl'],
    message: /^unusable: a list (of some reasons|of attribute certificates|that is limited)/,
    readByAll: true,
  },
  {
    what: 'An indirect CRL, or an entry about a certificate of another issuer',
    reason: 'the issuer of the CRL does not decide which certificates it is about',
    kinds: ['crl'],
    message: /^unusable: an (indirect list|entry about)/,
    readByAll: true,
  },
  {
    what: 'An entry that takes a revocation back',
    reason: 'RFC 5280 §5.3.1: of delta CRLs only',
    kinds: ['crl'],
    message: /^unusable: an entry that withdraws/,
    readByAll: true,
  },
  {
    what: 'A critical extension of a CRL, or of an entry, that is not known',
    reason: 'RFC 5280 §5.2: such a list must not be used to say that a certificate is good',
    kinds: ['crl'],
    message: /^unusable: unknown critical extension/,
    readByAll: true,
  },
  {
    what: 'A number where ENUMERATED has one byte',
    reason: 'no status or reason has more',
    message: /ENUMERATED/,
  },
  {
    what: 'A status of a response that does not exist',
    reason: 'RFC 6960 §4.2.1',
    kinds: ['ocsp'],
    message: /unknown response status/,
  },
  {
    what: 'BER: an indefinite length, a length in a longer form',
    reason:
      'a second encoding of the same value. Fingerprints and comparisons byte for byte would differ. Go and pyca refuse it in all that they decode',
    message: /not DER: (indefinite length|length not in its shortest form|length out of bounds)/,
  },
  {
    what: 'A BOOLEAN that is neither 00 nor FF',
    reason: 'X.690 §11.1: 00 or FF. Readers differ in the meaning of other values',
    message: /malformed BOOLEAN/,
  },
  {
    what: 'An object identifier or an INTEGER that is empty, or not in its shortest form',
    reason: 'a second encoding of the same value',
    message: /object identifier|INTEGER/,
  },
  {
    what: 'More, or less, than the structure has',
    reason: 'two readers may see two different certificates',
    message:
      /not DER: (bytes after the end|an element is missing|tag 0x|longer than the enclosing element|truncated)|with unexpected content/,
  },
];
