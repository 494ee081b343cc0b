import type { RefusedClass } from './comparison.ts';

/** Inputs that Lockkeeper refuses and another parser accepts. The first class that matches counts. */
export const REFUSED: readonly RefusedClass[] = [
  {
    what: 'A signature or a key that is not a whole number of bytes',
    reason: 'No algorithm produces such a signature or key, so it could never be verified',
    message: /^(signature|public key): BIT STRING is not a whole number of bytes/,
    readByAll: true,
  },
  {
    what: 'A CA or a client whose extensions are in version 1 or 2',
    reason:
      'By RFC 5280 §4.1.2.9, extensions belong to version 3. Parsers of version 1 ignore them, so two parsers may disagree about who is a CA',
    message: /^extensions in a certificate of version/,
    readByAll: true,
  },
  {
    what: 'Extensions in a CRL of version 1',
    reason: 'By RFC 5280 §5.1.2.1, extensions belong to version 2',
    message: /extensions in a (list|CRL) of version 1/,
  },
  {
    what: 'A version that does not exist',
    reason: 'Fields of an unknown version may have another meaning',
    message: /^version: (not one of 1 to 3|not that of version 2|unknown response version|negative INTEGER)/,
  },
  {
    what: 'Control characters (NUL, line end, DEL) or bytes beyond ASCII in a DNS name, email address or URI',
    reason:
      'RFC 5280 §4.2.1.6 requires an IA5String. A NUL or a line end hides part of the name in a log or in a comparison',
    message: /a name that is not printable ASCII/,
    readByAll: true,
  },
  {
    what: 'A name of more than 8 KiB',
    reason: 'A limit of Lockkeeper, because comparing long names takes CPU time',
    message: /a name of more than 8192 bytes/,
    readByAll: true,
  },
  {
    what: 'An empty set of attributes in a name (an RDN without an attribute)',
    reason: 'X.501 requires at least one attribute. Equality with other names is undefined',
    message: /an empty list of attributes/,
  },
  {
    what: 'A name constraint with a maximum, or a minimum above 0',
    reason:
      'RFC 5280 §4.2.1.10 forbids both. No parser enforces them: the constraint would permit or exclude other names than the CA intended',
    message: /^name constraints: a subtree with a (maximum|minimum)/,
    readByAll: true,
  },
  {
    what: 'Name constraints without a subtree',
    reason: 'RFC 5280 §4.2.1.10 requires at least one. The CA intended a constraint, and there would be none',
    message: /^name constraints: (an empty list of subtrees|neither permitted nor excluded)/,
  },
  {
    what: 'An IP address, or a constraint on IP addresses, whose length is neither that of IPv4 nor of IPv6',
    reason: 'The address cannot be compared',
    message: /IP address (constraint )?of \d+ bytes/,
  },
  {
    what: 'A general name of an undefined form',
    reason: 'The name cannot be compared, and a constraint of that form would have no effect',
    message: /a general name with tag/,
  },
  {
    what: 'An empty extended key usage',
    reason:
      'RFC 5280 §4.2.1.12 requires at least one purpose. An empty one allows nothing, but Go treats it as any purpose',
    message: /^extended key usage: an empty list/,
  },
  {
    what: 'Empty policy constraints',
    reason:
      'RFC 5280 §4.2.1.11 requires at least one of the two fields. Go does not decode them, OpenSSL only when a policy is required',
    message: /^policy constraints: neither/,
  },
  {
    what: 'A negative count of certificates in policy constraints or inhibitAnyPolicy',
    reason: 'RFC 5280 §4.2.1.14 requires 0 or more',
    message: /negative INTEGER instead of a count/,
  },
  {
    what: 'Malformed policy mappings',
    reason: 'Lockkeeper enforces them. Go and pyca do not decode them, OpenSSL only when a policy is required',
    message: /^policy mappings: (not DER|object identifier)/,
    readByAll: true,
  },
  {
    what: 'Malformed policies, policy constraints or inhibitAnyPolicy',
    reason: 'Lockkeeper enforces them. Go decodes part of them, OpenSSL only when a policy is required',
    message: /^(certificate policies|policy constraints|inhibit any policy): (not DER|object identifier)/,
  },
  {
    what: 'Inner and outer signature algorithms that differ, even if only by a NULL parameter',
    reason:
      'RFC 5280 §4.1.1.2 requires them to be equal. The outer one is not signed. Go refuses the certificate, and OpenSSL refuses its signature',
    message: /^signature algorithm: the one in the signed content differs from the one beside/,
  },
  {
    what: 'A duplicate extension of an OCSP response',
    reason: 'Parsers could use either of the two',
    kinds: ['ocsp'],
    message: /^(single response: extensions|response extensions): the same extension twice/,
    readByAll: true,
  },
  {
    what: 'A duplicate extension',
    reason: 'RFC 5280 §4.2 forbids it. Parsers could use either of the two',
    message: /the same extension twice/,
  },
  {
    what: 'Unused bits of a key usage that are set',
    reason: 'X.690 §11.2.1 requires zero. Their meaning is ambiguous. Go and pyca refuse them',
    message: /BIT STRING with unused bits that are not zero/,
  },
  {
    what: 'A string with characters outside its type',
    reason: 'Such a string has no text to compare. Go does not decode directory names there',
    message: /of an odd length|bytes that its type does not allow/,
  },
  {
    what: 'A time without seconds, with a fraction, or with an offset from UTC',
    reason: 'RFC 5280 §4.1.2.5 and RFC 6960 require seconds and `Z`. pyca refuses all of them, Go some',
    message: /malformed time/,
  },
  {
    what: 'An OCSP time that is no GeneralizedTime',
    reason: 'RFC 6960 allows no other',
    kinds: ['ocsp'],
    message: /a time that is not a GeneralizedTime/,
  },
  {
    what: 'A CRL without an issuer',
    reason: 'No CA has an empty name',
    kinds: ['crl'],
    message: /^issuer: an empty name/,
    readByAll: true,
  },
  {
    what: 'A negative CRL number, or one of more than 20 bytes',
    reason: 'RFC 5280 §5.2.3 forbids both. The number decides which of two CRLs is newer',
    kinds: ['crl'],
    message: /CRL number: /,
    readByAll: true,
  },
  {
    what: 'A delta CRL',
    reason: 'A delta CRL contains only changes',
    kinds: ['crl'],
    message: /^unusable: a delta CRL/,
    readByAll: true,
  },
  {
    what: 'A CRL of some reasons, of attribute certificates, or of end entities and CAs at once',
    reason: 'An unlisted certificate may be revoked for another reason, or on another CRL',
    kinds: ['crl'],
    message: /^unusable: a CRL that (covers only|is limited)/,
    readByAll: true,
  },
  {
    what: 'An indirect CRL, or an entry about a certificate of another issuer',
    reason: 'The issuer of the CRL does not determine which certificates it covers',
    kinds: ['crl'],
    message: /^unusable: an (indirect CRL|entry about)/,
    readByAll: true,
  },
  {
    what: 'An entry that removes a revocation',
    reason: 'RFC 5280 §5.3.1 allows this only in delta CRLs',
    kinds: ['crl'],
    message: /^unusable: an entry that withdraws/,
    readByAll: true,
  },
  {
    what: 'An unknown critical extension of a CRL or of an entry',
    reason: 'RFC 5280 §5.2 says that such a CRL must not be used to accept a certificate',
    kinds: ['crl'],
    message: /^unusable: unknown critical extension/,
    readByAll: true,
  },
  {
    what: 'A status or reason of more than one byte',
    reason: 'All defined numbers have one byte',
    message: /ENUMERATED/,
  },
  {
    what: 'An OCSP response with an undefined status',
    reason: 'RFC 6960 §4.2.1 defines all statuses',
    kinds: ['ocsp'],
    message: /unknown response status/,
  },
  {
    what: 'A BER encoding: an indefinite length, or a length that is not in its shortest form',
    reason:
      'It is a second encoding of the same value. Fingerprints and byte comparisons would differ. Go and pyca refuse it everywhere',
    message: /not DER: (indefinite length|length not in its shortest form|length out of bounds)/,
  },
  {
    what: 'A BOOLEAN that is neither 00 nor FF',
    reason: 'X.690 §11.1 requires 00 or FF. Parsers disagree about other values',
    message: /malformed BOOLEAN/,
  },
  {
    what: 'An object identifier or an INTEGER that is empty, or not in its shortest form',
    reason: 'It is a second encoding of the same value',
    message: /object identifier|INTEGER/,
  },
  {
    what: 'Additional or missing elements of a structure',
    reason: 'Two parsers may read different content',
    message:
      /not DER: (bytes after the end|an element is missing|tag 0x|longer than the enclosing element|truncated)|with unexpected content/,
  },
];
