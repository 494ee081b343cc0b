/**
 * X.509 certificates: parsing, path validation, PEM. Pure: no I/O, and no dependencies but `node:crypto` and
 * `node:buffer`.
 */
export { dottedFromOid, type Oid, oidFromDotted, oidOf } from './asn1/oid.ts';
export { attributeName, attributeTypeOf } from './certificate/attribute.ts';
export { Certificate } from './certificate/certificate.ts';
export { type Extension, textOfDer, textsOfDer } from './certificate/extensions.ts';
export { type GeneralName, generalNameToString, type OtherName } from './certificate/general-name.ts';
export type { Name } from './certificate/name.ts';
export type { NameConstraints } from './certificate/name-constraints.ts';
export type { SignatureRules } from './certificate/signature.ts';
export { comparisonCount, nameViolation } from './constraints/name-constraints.ts';
export { type CrlInfo, type CrlScope, REVOCATION_REASONS, type RevokedCertificate } from './crl/crl.ts';
export { type CrlDecoder, decoderFor } from './crl/decoder.ts';
export { CrlParser, MAX_CRL_BYTES } from './crl/parser.ts';
export { CrlSignatureCheck } from './crl/signature-check.ts';
export { type CrlTimes, crlTimes } from './crl/times.ts';
export { ocspRequest } from './ocsp/request.ts';
export { ocspUrls } from './ocsp/responder-urls.ts';
export { MAX_RESPONSE_BYTES, type OcspFailure, type OcspResponse, parseOcspResponse } from './ocsp/response.ts';
export type { CertStatus, SingleResponse } from './ocsp/single-response.ts';
export type { OcspCheckName, OcspVerdict } from './ocsp/verdict.ts';
export { type OcspDecision, type OcspVerifyOptions, verifyOcspResponse } from './ocsp/verify.ts';
export { ParseError } from './parse-error.ts';
export { anchorFaults } from './path/anchor-faults.ts';
export { type Anchor, type AnchorCertificate, AnchorSet } from './path/anchors.ts';
export { type AcceptedPurposes, ANY_PURPOSE, KEY_CERT_SIGN, KeyPurpose, type KeyUsage } from './path/key-usage.ts';
export { MAX_PRESENTED, type PathOptions } from './path/options.ts';
export { searchPaths, validPaths } from './path/search.ts';
export type { ValidPath } from './path/valid-path.ts';
export { type Decision, validate } from './path/validate.ts';
export type { CheckName, Verdict } from './path/verdict.ts';
export { certificatesInPem, eachCertificateInPem, type PemLabel, pemBlocks } from './pem.ts';
