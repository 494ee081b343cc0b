import type { Clock } from '../../../lib/clock.ts';
import { eachInSlices } from '../../../lib/slices.ts';
import type { Database } from '../../../storage/index.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Actor, Organizations, OrganizationView } from '../../tenancy/index.ts';
import { csvOf } from './csv.ts';
import type { ExplorerPlaces } from './places.ts';
import { type ExplorerQuery, needsUses } from './query.ts';
import { readableWith } from './readable.ts';
import { type Result, type ResultRow, search } from './search.ts';
import type { ExplorerTables } from './table/tables.ts';
import type { WorkspaceItem } from './workspace-fields.ts';

/** @limit workspaces of an organization that the explorer serves, workspaces -> 422 */
const MAX_WORKSPACES = 100_000;

/** Dependencies of the explorer. */
export interface ExplorerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly tables: ExplorerTables;
  readonly places: ExplorerPlaces;
}

/** A page of a result. */
export interface ResultPage extends Slice<ResultRow> {
  readonly fields: Result['fields'];
}

/** A CSV file that is being sent. */
export interface ResultFile {
  readonly parts: AsyncGenerator<string>;
  /** Gives the place of the file back. Call it when it is sent, or its reader is gone. */
  readonly close: () => void;
}

/** Queries over all workspaces of an organization that an actor may see. */
export class Explorer {
  readonly #options: ExplorerOptions;

  constructor(options: ExplorerOptions) {
    this.#options = options;
  }

  /**
   * Runs a query and returns a page of its result.
   * @throws 404 for an actor that is not in the organization; 422 for an organization that is too large, or whose
   * providers, modules and resource types are; 429 while too many queries run
   */
  async page(actor: Actor, organization: string, query: ExplorerQuery, page: Page): Promise<ResultPage> {
    const view = await this.#options.organizations.find(actor, organization, 'can-traverse');
    return this.#inPlace(view, async () => {
      const { fields, rows, total } = await search(await this.#visible(view, query), query);
      return { fields, total, items: [...(await rows(page.offset, page.size))] };
    });
  }

  /**
   * Runs a query and starts a CSV file with its result.
   * @throws as `page`, and 429 while too many files are being read
   */
  async file(actor: Actor, organization: string, query: ExplorerQuery): Promise<ResultFile> {
    const view = await this.#options.organizations.find(actor, organization, 'can-traverse');
    const close = this.#options.places.forFile(view.id);
    try {
      const parts = await this.#inPlace(view, async () => csvOf(await search(await this.#visible(view, query), query)));
      return { parts, close };
    } catch (error) {
      close();
      throw error;
    }
  }

  async #inPlace<T>({ id }: OrganizationView, work: () => Promise<T>): Promise<T> {
    const giveBack = this.#options.places.forQuery(id);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  async #visible(
    { id, name, grant, workspaceCount }: OrganizationView,
    query: ExplorerQuery,
  ): Promise<WorkspaceItem[]> {
    if (workspaceCount > MAX_WORKSPACES) {
      const detail = `The explorer serves organizations of at most ${MAX_WORKSPACES} workspaces. Use the list of workspaces`;
      throw unprocessable([{ detail }]);
    }
    const { database, clock, tables } = this.#options;
    // The grants are read after the workspaces: a revoked grant shows nothing that was added since.
    const { table, inherited, isLean } = await tables.current(id);
    if (isLean && needsUses(query)) throw unprocessable([{ detail: NO_USES }]);
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

const NO_USES =
  'The names of providers, modules and resource types of this organization take more memory than the explorer has for one ' +
  'organization. Ask for workspaces or tf_versions, and choose fields without providers, provider_count, modules, ' +
  'module_count and current_rum_count';
