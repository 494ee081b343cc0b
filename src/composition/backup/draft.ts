import type { ManifestRecord } from '../../backup/index.ts';
import type { StorageConfig } from '../../config/index.ts';
import type { Load } from '../../storage/index.ts';

/** Databases during a restore. They are built beside their final place and moved there when complete. */
export interface Draft {
  /** Temporary place of the databases. Blobs are written to their final place. */
  readonly storage: StorageConfig;
  /** Creates empty databases with the backup's schema. @throws StorageError for a schema that this version does not know */
  loads(manifest: ManifestRecord): Promise<readonly Load[]>;
  /** Moves the databases to their final place. After an interruption in between the restore can be repeated. */
  promote(): Promise<void>;
  /** Removes the databases. */
  discard(): Promise<void>;
}

/** Two servers that share a blob store would delete each other's blobs. */
export const CONTENTS_APART = ', with its own folder or bucket for blobs (storage.blob_directory, storage.blobs)';
