/** X.509 certificates: reading, path validation, PEM. Pure: no I/O, no dependencies but `node:crypto` and `node:buffer`. */
export { dottedFromOid, type Oid, oidFromDotted } from './asn1/oid.ts';
export { Certificate } from './certificate/certificate.ts';
export type { Extension } from './certificate/extensions.ts';
export { type GeneralName, generalNameToString } from './certificate/general-name.ts';
export type { Name } from './certificate/name.ts';
export { ParseError } from './parse-error.ts';
export { anchorFaults } from './path/anchor-faults.ts';
export { type Anchor, AnchorSet } from './path/anchors.ts';
export { KeyPurpose, type KeyUsage } from './path/key-usage.ts';
export type { PathOptions } from './path/options.ts';
export { validPaths } from './path/search.ts';
export type { ValidPath } from './path/valid-path.ts';
export { type Decision, validate } from './path/validate.ts';
export type { CheckName, Verdict } from './path/verdict.ts';
export { certificatesInPem, type PemLabel, pemBlocks } from './pem.ts';
