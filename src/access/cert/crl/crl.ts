import type { Validators } from '../../../revocation/crl/index.ts';

/** What an administrator decides about a list beside its content. */
export interface CrlSettings {
  /** When the list is overdue: go on using it, or refuse the certificates of its issuer. */
  readonly on_stale: 'use' | 'refuse';
  /** While no role has the issuer's certificate: match serial numbers alone, whoever issued them, or leave the list unused. */
  readonly on_unknown_issuer: 'match_serial' | 'ignore';
}

/** A stored list, without its content. Times are milliseconds. */
export interface StoredCrl {
  readonly name: string;
  /** That of the mount when an administrator has last written the list. */
  readonly version: number;
  readonly settings: CrlSettings;
  /** Where it is fetched from; null for one that was uploaded. */
  readonly url: string | null;
  /** Never the same for two contents. */
  readonly contentId: string;
  /** When it was last uploaded, fetched, or confirmed by its server. */
  readonly fetchedAt: number;
  readonly validators: Validators;
  /** Failed fetches since the last that succeeded. */
  readonly failures: number;
  readonly lastError: string | null;
  /** Null for one that was uploaded. */
  readonly nextFetchAt: number | null;
}

/** A list that is fetched from somewhere. */
export interface RemoteCrl extends StoredCrl {
  readonly url: string;
  readonly nextFetchAt: number;
}
