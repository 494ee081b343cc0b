import type { Migration, SealedColumn } from '../../storage/index.ts';
import type { OpenApiPart } from '../openapi/part.ts';

/** What a wing hands over to the whole, besides its services and its routes. */
export interface Module {
  readonly migrations: readonly Migration[];
  /** What of its rows the keyring has sealed. */
  readonly sealedColumns: readonly SealedColumn[];
  readonly openApi: OpenApiPart;
}
