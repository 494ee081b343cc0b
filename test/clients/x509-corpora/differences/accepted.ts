import type { AcceptedClass } from './comparison.ts';

/** Inputs that Lockkeeper accepts and another parser refuses. The first class that matches counts. */
export const ACCEPTED: readonly AcceptedClass[] = [
  {
    what: 'An unusable public key',
    reason: 'The check `public-key` refuses the certificate at the login',
    kinds: ['certificate'],
    refusedByAll: true,
    messages: {
      Go: /ecdsa: invalid|invalid P\d+ point|RSA (key missing|modulus is|public exponent is)|invalid (RSA|DSA|ECDSA) |unsupported elliptic curve/,
      OpenSSL: /null is wrong length|type not primitive|invalid object encoding/,
      pyca: /SubjectPublicKeyInfo::algorithm/,
    },
  },
  {
    what: 'An extension that is critical but must not be',
    reason:
      'The check `critical-extensions` refuses the certificate at the login; in a CRL, the key identifier is enforced',
    messages: { Go: /incorrectly marked critical/ },
  },
  {
    what: 'A name constraint that cannot be compared (a space, a wildcard, a mask with holes)',
    reason: 'The check `name-constraints` refuses every name of that type below it',
    kinds: ['certificate'],
    messages: {
      Go: /failed to parse (URI|dnsName|rfc822Name) constraint|invalid mask/,
      pyca: /must not contain the '\*'|Invalid netmask/,
    },
  },
  {
    what: 'An IP address constraint with bits set beyond its mask',
    reason: 'Only bits within the mask are compared',
    kinds: ['certificate'],
    messages: { pyca: /has host bits set/ },
  },
  {
    what: 'A malformed value of an ignored extension (CRL distribution points, SCTs, issuer alternative names, freshest CRL, invalidity date)',
    reason:
      'The value has no effect. The check `critical-extensions` refuses an unknown critical extension, and malformed critical distribution points',
    kinds: ['certificate', 'crl'],
    refusedByAll: true,
    messages: {
      Go: /invalid CRL distribution point/,
      OpenSSL: /marked invalid: invalid certificate/,
      pyca: /SCT|DistributionPoint|must be provided|issuer_alternative_name|location: \[\d+\] }|ParseError { kind: (ShortData { needed: 1 }|ExtraData|InvalidValue|InvalidLength|UnexpectedTag { actual: Tag { value: \d+, constructed: (true|false), class: (Universal|ContextSpecific) } }) }/,
    },
  },
  {
    what: 'A malformed qualifier of a policy',
    reason: 'Qualifiers are texts for users; only their type is checked',
    kinds: ['certificate'],
    messages: { Go: /invalid certificate policies/, pyca: /PolicyQualifierInfo|PolicyInformation|OID did not match/ },
  },
  {
    what: 'A name with characters outside its string type (`*`, `@`, `_` in a PrintableString)',
    reason: 'CAs issue them, and the text is unambiguous',
    messages: {
      Go: /invalid (PrintableString|NumericString)/,
      pyca: /AttributeValue::PrintableString/,
    },
  },
  {
    what: 'A name with an attribute of a rare type: UniversalString, BIT STRING, VisibleString, or a type outside ASN.1',
    reason: 'A value that is no string is compared as bytes, and never matches a role',
    refusedByAll: true,
    messages: {
      Go: /unsupported string type/,
      OpenSSL: /mstring (wrong tag|not universal)|too long$/,
      pyca: /location: \["(issuer|subject)"\]|constructed: true, class: Universal } } }$/,
    },
  },
  {
    what: 'A negative serial number',
    reason: 'The check `serial-number` refuses it',
    kinds: ['certificate'],
    messages: { Go: /negative serial number/ },
  },
  {
    what: 'A path length or a number of certificates beyond 32 bits',
    reason: 'No path is that long',
    kinds: ['certificate'],
    messages: { Go: /invalid (basic constraints|inhibit any policy)/, pyca: /IntegerOverflow/ },
  },
  {
    what: 'A path length in a certificate that is no CA',
    reason: 'It has no meaning there and is ignored',
    kinds: ['certificate'],
    messages: { pyca: /path_length must be None/ },
  },
  {
    what: 'A URI that cannot be parsed',
    reason: 'The URI is compared as text. The check `name-constraints` refuses it below a constraint on URIs',
    kinds: ['certificate'],
    messages: { Go: /cannot parse URI/ },
  },
  {
    what: 'An explicit DEFAULT value (FALSE, version 1 of a response, parameters of RSASSA-PSS)',
    reason: 'The meaning is the same',
    messages: { pyca: /EncodedDefault/ },
  },
  {
    what: 'NULL parameters of an algorithm that has none (ECDSA, DSA)',
    reason: 'The meaning is the same',
    messages: { pyca: /ExtraData, location: \["(Certificate|CertificateRevocationList|OCSPResponse)::/ },
  },
  {
    what: 'An authority key identifier with an issuer and without a serial number, or the other way round',
    reason: 'Only the key identifier is used',
    messages: { pyca: /authority_cert_issuer and/, OpenSSL: /extension 90/ },
  },
  {
    what: 'An RDN that is not a sorted set, or has a duplicate attribute',
    reason: 'The comparison of names ignores the order of attributes',
    messages: { pyca: /duplicate attributes|InvalidSetOrdering/ },
  },
  {
    what: 'A certificate of version 2',
    reason: 'Version 2 has the fields of version 1. Such a certificate can be pinned and cannot issue',
    kinds: ['certificate'],
    messages: { pyca: /not a valid X509 version/ },
  },
  {
    what: 'A general name of type x400Address or ediPartyName',
    reason: 'A role cannot require such a name. The check `name-constraints` refuses it below a constraint of its type',
    kinds: ['certificate'],
    messages: { pyca: /are not supported types/ },
  },
  {
    what: 'A key usage of encipherOnly without keyAgreement',
    reason: 'A login uses neither of the two',
    kinds: ['certificate'],
    messages: { pyca: /encipher_only/ },
  },
  {
    what: 'A validity in the year 0',
    reason: 'Such a certificate has expired',
    kinds: ['certificate'],
    messages: { pyca: /year 0 is out of range/ },
  },
  {
    what: 'A CRL of version 1',
    reason: 'A CRL of version 1 revokes like one of version 2',
    kinds: ['crl'],
    messages: { Go: /unsupported crl version/ },
  },
  {
    what: 'An empty issuing distribution point',
    reason: 'The CRL covers all certificates of its issuer',
    kinds: ['crl'],
    messages: { pyca: /Cannot create empty extension/ },
  },
  {
    what: 'An OCSP response without exactly one entry',
    reason: 'Verification looks for the entry of the certificate',
    kinds: ['ocsp'],
    messages: { Go: /bad number of responses/ },
  },
  {
    what: 'An OCSP response with an unsupported signature or hash algorithm',
    reason: 'The algorithm is checked during verification, not during parsing',
    kinds: ['ocsp'],
    messages: {
      Go: /bad signature|unsupported issuer hash/,
      OpenSSL: /null is wrong length|type not primitive/,
      pyca: /CertID::hash_algorithm/,
    },
  },
  {
    what: 'An undefined revocation reason',
    reason: 'It counts as unspecified; the certificate is still revoked',
    messages: { pyca: /RevokedInfo::revocation_reason|Unsupported reason code/ },
  },
];
