import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Actor, Organizations } from '../../tenancy/index.ts';
import { isSeen, visibleIn } from '../list/scope.ts';
import * as store from './organization-tag-store.ts';

/** Manages the flat tags of an organization. Each is used by at least one workspace. */
export class OrganizationTags {
  readonly #database: Database;
  readonly #organizations: Organizations;

  constructor(database: Database, organizations: Organizations) {
    this.#database = database;
    this.#organizations = organizations;
  }

  /** Returns the tags of workspaces that the actor can see, by name. */
  async list(
    actor: Actor,
    organizationName: string,
    { query, excluded }: Omit<store.TagFilter, 'shown'>,
    page: Page,
  ): Promise<Slice<store.OrganizationTag>> {
    const {
      id,
      grant,
      workspaceCount: count,
    } = await this.#organizations.find(actor, organizationName, 'can-traverse');
    const visible = await visibleIn(this.#database, { organizationId: id, projectId: undefined, count, grant });
    return store.listOrganizationTags(this.#database, id, { query, excluded, shown: visible && isSeen(visible) }, page);
  }

  /** Removes the tags from all workspaces. @throws 404 without permission, or when a tag does not exist */
  async remove(actor: Actor, organizationName: string, given: readonly string[]): Promise<void> {
    const { id } = await this.#organizations.find(actor, organizationName, 'can-manage-tags');
    // A fixed order prevents deadlocks between transactions.
    const ids = [...new Set(given)].sort();
    await this.#database.transaction(async (tx) => {
      if ((await store.countOrganizationTags(tx, id, ids)) < ids.length) throw notFound();
      for (const tagId of ids) await store.removeOrganizationTag(tx, id, tagId);
    });
  }
}
