import type { Clock } from '../../../lib/clock.ts';
import { eachInSlices } from '../../../lib/slices.ts';
import type { Database } from '../../../storage/index.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import type { Actor, Organizations, OrganizationView } from '../../tenancy/index.ts';
import type { ExplorerQuery } from './query.ts';
import { readableWith } from './readable.ts';
import { type Result, search } from './search.ts';
import type { ExplorerTables } from './tables.ts';
import type { WorkspaceItem } from './workspace-fields.ts';

/** @limit workspaces of an organization that the explorer serves, workspaces -> 422 */
const MAX_WORKSPACES = 100_000;

/** Dependencies of the explorer. */
export interface ExplorerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly tables: ExplorerTables;
}

/** Queries over all workspaces of an organization that an actor may see. */
export class Explorer {
  readonly #options: ExplorerOptions;

  constructor(options: ExplorerOptions) {
    this.#options = options;
  }

  /**
   * Runs a query. @throws 404 for an actor that is not in the organization, 422 for an organization that is too large
   */
  async query(actor: Actor, organization: string, query: ExplorerQuery): Promise<Result> {
    const view = await this.#options.organizations.find(actor, organization, 'can-traverse');
    return search(await this.#visible(view), query);
  }

  async #visible({ id, name, grant, workspaceCount }: OrganizationView): Promise<WorkspaceItem[]> {
    if (workspaceCount > MAX_WORKSPACES) {
      const detail = `The explorer serves organizations of at most ${MAX_WORKSPACES} workspaces. Use the list of workspaces`;
      throw unprocessable([{ detail }]);
    }
    const { database, clock, tables } = this.#options;
    // The grants are read after the workspaces: a revoked grant shows nothing that was added since.
    const { table, inherited } = await tables.current(id);
    const readable = await readableWith(database, grant);
    const context = { organizationName: name, inherited, now: clock() };
    const rows = await table.byName();
    const items: WorkspaceItem[] = [];
    await eachInSlices(rows.length, (at) => {
      const row = rows[at];
      if (row === undefined) return;
      const parts = readable(row);
      if (parts.isVisible) items.push({ row, readable: parts, context });
    });
    return items;
  }
}
