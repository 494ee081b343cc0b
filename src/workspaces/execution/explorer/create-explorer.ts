import { Blobs } from '../../../storage/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { openSummary } from '../../state/index.ts';
import type { Tenancy } from '../../tenancy/index.ts';
import { Explorer } from './explorer.ts';
import { ExplorerPlaces } from './places.ts';
import type { SummaryReader } from './table/rows.ts';
import { ExplorerTables, type MemoryBounds } from './table/tables.ts';
import { ExplorerViews } from './views.ts';

/** Services of the explorer. */
export interface ExplorerServices {
  readonly explorer: Explorer;
  readonly explorerViews: ExplorerViews;
}

export function createExplorer(
  platform: Platform,
  { organizations }: Tenancy,
  memory?: MemoryBounds,
): ExplorerServices {
  const { database, clock } = platform;
  const tables = new ExplorerTables(database, clock, summaryReader(platform), memory);
  return {
    explorer: new Explorer({ database, clock, organizations, tables, places: new ExplorerPlaces() }),
    explorerViews: new ExplorerViews(database, clock, organizations),
  };
}

/** A state whose key is missing does not stop the query: what it uses is unknown. */
function summaryReader({ blobStore, keyring, report }: Platform): SummaryReader {
  const blobs = new Blobs(blobStore, keyring);
  return ({ blobName: name, dataKey, summary }) => {
    if (name === null || dataKey === null || summary === null) return undefined;
    try {
      return openSummary(blobs, { name, dataKey }, summary);
    } catch (error) {
      report(error);
      return undefined;
    }
  };
}
