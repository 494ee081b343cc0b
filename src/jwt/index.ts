/**
 * Verification of JWTs (RFC 7519) of other issuers: parsing, signature checks with the issuer's keys, and bound
 * claims.
 */
export { type Bounds, checkBoundClaims } from './claims/bound-claims.ts';
export { claimAt, memberOf, type Plain, plainValues, shownValue } from './claims/claim-value.ts';
export { type Finding, finding, holdsAll } from './claims/finding.ts';
export { checkTimeClaims, type Leeways } from './claims/time-claims.ts';
export { ALGORITHMS } from './keys/algorithms.ts';
export {
  fetchDocument,
  fetchKeys,
  type IssuerDocument,
  type KeyPlace,
  KeysError,
  keysAddress,
} from './keys/fetch-keys.ts';
export { type IssuerKeys, type KeyMetrics, RemoteKeys, staticKeys } from './keys/issuer-keys.ts';
export { keyFromPem, MAX_KEYS } from './keys/key-set.ts';
export { type ParsedToken, parseToken } from './token/parse-token.ts';
export type { JsonObject } from './token/strict-json.ts';
export { verifySignature } from './verify.ts';
