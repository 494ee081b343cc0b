import type { Buffer } from 'node:buffer';
import type { Algorithm } from '../certificate/algorithm.ts';
import type { Name } from '../certificate/name.ts';

/** Which certificates of its issuer a list speaks of (RFC 5280 §5.2.5). */
export type CrlScope = 'all' | 'end-entities' | 'authorities';

/** A certificate revocation list (RFC 5280 §5) without its entries. Times are milliseconds since 1970. */
export interface CrlInfo {
  readonly version: 1 | 2;
  readonly issuer: Name;
  /** The key identifier of the issuer, in hex. */
  readonly authorityKeyId: string | undefined;
  readonly number: bigint | undefined;
  readonly thisUpdate: number;
  readonly nextUpdate: number | undefined;
  readonly scope: CrlScope;
  /** A serial number that is listed twice counts twice. */
  readonly entries: number;
  /** Of the whole list in DER. */
  readonly bytes: number;
  readonly signed: SignedRange;
  /** Why the list cannot be relied upon although it is well-formed, in words; undefined when it can. */
  readonly unusable: string | undefined;
}

/** What the issuer signed, by its place: the list itself is not kept. */
export interface SignedRange {
  /** Offsets in the DER of the list; `end` is the first byte after. */
  readonly start: number;
  readonly end: number;
  readonly algorithm: Algorithm;
  readonly signature: Buffer;
}

/** RFC 5280 §5.3.1, by number. 7 is not used. */
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

/** One entry of a list. */
export interface RevokedCertificate {
  /** The content of the serial number, as `Certificate#serialBytes`. A view: copy what is to be kept. */
  readonly serial: Buffer;
  readonly revokedAt: number;
  /** Index into `REVOCATION_REASONS`; 0 when the entry gives none. */
  readonly reason: number;
}
