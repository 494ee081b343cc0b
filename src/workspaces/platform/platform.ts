import type { Clock } from '../../lib/clock.ts';
import type { BlobStore, Database, Keyring, Signals } from '../../storage/index.ts';

/** Dependencies of every module. */
export interface Platform {
  /** With `workspacesMigrations` applied. */
  readonly database: Database;
  /** Keyring of that database. */
  readonly signals: Signals;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Blob store of states and configuration versions. */
  readonly blobStore: BlobStore;
  /** Reports errors outside of requests. */
  readonly report: (error: unknown) => void;
}
