import type { Buffer } from 'node:buffer';
import type { Algorithm } from '../certificate/algorithm.ts';
import type { Name } from '../certificate/name.ts';

/** The certificates of the issuer that a CRL covers (RFC 5280 §5.2.5). */
export type CrlScope = 'all' | 'end-entities' | 'authorities';

/** A CRL (RFC 5280 §5) without its entries. Times are milliseconds since 1970. */
export interface CrlInfo {
  readonly version: 1 | 2;
  readonly issuer: Name;
  /** Key identifier of the issuer, in hex. */
  readonly authorityKeyId: string | undefined;
  readonly number: bigint | undefined;
  readonly thisUpdate: number;
  readonly nextUpdate: number | undefined;
  readonly scope: CrlScope;
  /** Number of entries; duplicates count twice. */
  readonly entries: number;
  /** Length of the DER. */
  readonly bytes: number;
  readonly signed: SignedRange;
  /** Reason why a well-formed CRL cannot be used, in words; undefined if it can. */
  readonly unusable: string | undefined;
}

/** Range of the signed content; the CRL itself is not kept. */
export interface SignedRange {
  /** Offsets in the DER of the CRL; `end` is the first byte behind. */
  readonly start: number;
  readonly end: number;
  readonly algorithm: Algorithm;
  readonly signature: Buffer;
}

/** Reasons of RFC 5280 §5.3.1, by number. 7 is not used. */
export const REVOCATION_REASONS = [
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  undefined,
  'removeFromCRL',
  'privilegeWithdrawn',
  'aACompromise',
] as const;

/** One entry of a CRL. */
export interface RevokedCertificate {
  /** Content of the serial number, like `Certificate#serialBytes`. A view, to be copied if it is kept. */
  readonly serial: Buffer;
  readonly revokedAt: number;
  /** Index into `REVOCATION_REASONS`; 0 if the entry has none. */
  readonly reason: number;
}
