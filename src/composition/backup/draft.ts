import type { ManifestRecord } from '../../backup/index.ts';
import type { StorageConfig } from '../../config/index.ts';
import type { Load } from '../../storage/index.ts';

/** Databases that are being brought back, beside the place where they belong: nobody finds them there before they are whole. */
export interface Draft {
  /** Where they are meanwhile. Contents are where they belong. */
  readonly storage: StorageConfig;
  /** Empty, with the schema that the backup has. @throws StorageError where this version does not know it */
  loads(manifest: ManifestRecord): Promise<readonly Load[]>;
  /** Puts them where they belong, at once. */
  promote(): Promise<void>;
  /** Nothing is left of them. */
  discard(): Promise<void>;
}

/** Of two installations that share their contents, each removes what the other alone has rows of. */
export const CONTENTS_APART =
  ', with a folder or bucket of contents of its own (storage.blob_directory, storage.blobs)';
