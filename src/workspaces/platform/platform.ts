import type { Clock } from '../../lib/clock.ts';
import type { BlobStore, Database, Keyring, Signals } from '../../storage/index.ts';

/** Dependencies of every module. */
export interface Platform {
  /** Database with `workspacesMigrations` applied. */
  readonly database: Database;
  readonly signals: Signals;
  /** Keyring of the database. */
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Blob store of states and configuration versions. */
  readonly blobStore: BlobStore;
  /** Reports errors that occur outside of requests. */
  readonly report: (error: unknown) => void;
}
