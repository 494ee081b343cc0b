import type { Platform } from '../../platform/platform.ts';
import type { Tenancy } from '../../tenancy/index.ts';
import { Explorer } from './explorer.ts';
import { ExplorerTables } from './tables.ts';
import { ExplorerViews } from './views.ts';

/** Services of the explorer. */
export interface ExplorerServices {
  readonly explorer: Explorer;
  readonly explorerViews: ExplorerViews;
}

export function createExplorer({ database, clock }: Platform, { organizations }: Tenancy): ExplorerServices {
  const tables = new ExplorerTables(database);
  return {
    explorer: new Explorer({ database, clock, organizations, tables }),
    explorerViews: new ExplorerViews(database, clock, organizations),
  };
}
