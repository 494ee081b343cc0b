import type { Clock } from '../../lib/clock.ts';
import type { BlobStore, Database, Keyring, Signals } from '../../storage/index.ts';

/** What every wing stands on. */
export interface Platform {
  /** With `workspacesMigrations` applied. */
  readonly database: Database;
  /** Of that database. */
  readonly signals: Signals;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Where states and configurations lie. */
  readonly blobStore: BlobStore;
  /** Told of what fails beside any request. */
  readonly report: (error: unknown) => void;
}
