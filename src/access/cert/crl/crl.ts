import type { Validators } from '../../../revocation/crl/index.ts';

/** Settings of a CRL, besides its content. */
export interface CrlSettings {
  /** When the CRL is overdue: use it anyway, or refuse the certificates of its issuer. */
  readonly on_stale: 'use' | 'refuse';
  /**
   * While no role contains the issuer's certificate: match only serial numbers, of any issuer, or do not use the CRL.
   */
  readonly on_unknown_issuer: 'match_serial' | 'ignore';
}

/** A stored CRL without its content. Times are milliseconds since 1970. */
export interface StoredCrl {
  readonly name: string;
  /** Version of the mount at the last write by an administrator. */
  readonly version: number;
  readonly settings: CrlSettings;
  /** URL to fetch the CRL from. Null: it was uploaded. */
  readonly url: string | null;
  /** Id that is unique for each content of the CRL. */
  readonly contentId: string;
  /** Time of the upload, the last fetch, or the last confirmation by the server. */
  readonly fetchedAt: number;
  readonly validators: Validators;
  /** Number of failed fetches since the last success. */
  readonly failures: number;
  readonly lastError: string | null;
  /** Time of the next fetch. Null if the CRL was uploaded. */
  readonly nextFetchAt: number | null;
}

/** A CRL that is fetched from a URL. */
export interface RemoteCrl extends StoredCrl {
  readonly url: string;
  readonly nextFetchAt: number;
}
