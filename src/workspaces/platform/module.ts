import type { Migration, SealedColumn } from '../../storage/index.ts';
import type { AnyResource } from '../resource/index.ts';

/** Contributions of a module to the whole API, besides its services and routes. */
export interface Module {
  readonly migrations: readonly Migration[];
  /** Columns that are encrypted with the keyring. */
  readonly sealedColumns: readonly SealedColumn[];
  /** Resources in the OpenAPI document. */
  readonly resources?: readonly AnyResource[];
}
