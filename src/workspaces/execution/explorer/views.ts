import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import { attributeIssue, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, type Organizations, organizationWideAccess, showsWorkspace } from '../../tenancy/index.ts';
import type { ExplorerQuery } from './query.ts';
import { queryToRun, savedQuery, type ViewInput } from './view-schema.ts';
import * as store from './view-store.ts';

/** @limit saved views of the explorer in an organization, views -> 422 */
const MAX_VIEWS = 200;

/**
 * Saved queries of an organization. All its members see them, and their results have only the workspaces that each
 * member may see. Members who may see all workspaces change them.
 */
export class ExplorerViews {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #organizations: Organizations;

  constructor(database: Database, clock: Clock, organizations: Organizations) {
    this.#database = database;
    this.#clock = clock;
    this.#organizations = organizations;
  }

  /** Returns a page of the views by name. */
  async list(actor: Actor, organization: string, page: Page): Promise<Slice<store.ExplorerView>> {
    return store.listViews(this.#database, await this.#readable(actor, organization), page);
  }

  /** Finds a view. @throws 404 */
  async find(actor: Actor, organization: string, id: string): Promise<store.ExplorerView> {
    const found = await store.findView(this.#database, await this.#readable(actor, organization), id);
    if (found === undefined) throw notFound();
    return found;
  }

  /** Returns the query of a view. @throws 404; 422 for a view of a later version that this one does not know */
  async queryOf(actor: Actor, organization: string, id: string): Promise<ExplorerQuery> {
    const { type, query } = await this.find(actor, organization, id);
    const found = queryToRun(type, query);
    if (found !== undefined) return found;
    throw unprocessable([{ detail: 'The saved view has a field that this server does not know. Update the view' }]);
  }

  /** Saves a view. @throws 404 unless the actor may see all workspaces; 422 for an invalid query or too many views */
  async create(actor: Actor, organization: string, { name, type, query }: ViewInput): Promise<store.ExplorerView> {
    const organizationId = await this.#writable(actor, organization);
    const missing = Object.entries({ name, 'query-type': type, query }).filter(([, value]) => value === undefined);
    if (missing.length > 0) throw unprocessable(missing.map(([word]) => attributeIssue(word, `${word} is required`)));
    if (name === undefined || type === undefined || query === undefined) throw notFound();
    const createdAt = this.#clock();
    const id = prefixedId('sq', createdAt);
    const view = { id, organizationId, name, type, query: savedQuery(type, query), createdAt };
    await this.#database.transaction(async (tx) => {
      if ((await store.countViews(tx, organizationId)) >= MAX_VIEWS) {
        const detail = `An organization can have at most ${MAX_VIEWS} saved views. Delete one first`;
        throw unprocessable([{ detail }]);
      }
      await store.insertView(tx, view);
    });
    return view;
  }

  /** Changes the name or the query. The type stays. @throws like `create` */
  async update(actor: Actor, organization: string, id: string, input: ViewInput): Promise<store.ExplorerView> {
    const organizationId = await this.#writable(actor, organization);
    return this.#database.transaction(async (tx) => {
      const view = await store.findView(tx, organizationId, id);
      if (view === undefined) throw notFound();
      if (input.type !== undefined && input.type !== view.type) {
        throw unprocessable([
          attributeIssue('query-type', 'The query-type of a view cannot change. Create another view'),
        ]);
      }
      const query = input.query === undefined ? view.query : savedQuery(view.type, input.query);
      const changed = { ...view, name: input.name ?? view.name, query };
      await store.updateView(tx, changed);
      return changed;
    });
  }

  /** Deletes a view and returns it. @throws 404 */
  async delete(actor: Actor, organization: string, id: string): Promise<store.ExplorerView> {
    await this.#writable(actor, organization);
    const view = await this.find(actor, organization, id);
    await store.removeView(this.#database, view.id);
    return view;
  }

  async #readable(actor: Actor, organization: string): Promise<string> {
    return (await this.#organizations.find(actor, organization, 'can-traverse')).id;
  }

  async #writable(actor: Actor, organization: string): Promise<string> {
    const { id, grant } = await this.#organizations.find(actor, organization, 'can-traverse');
    if (!showsWorkspace(organizationWideAccess(grant))) throw notFound();
    return id;
  }
}
