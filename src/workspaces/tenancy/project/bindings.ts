import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor } from '../permissions/actor.ts';
import { type BindingEntries, checkBindingCount, type KeyValue, keyValues } from '../tag-binding/key-value.ts';
import * as bindingStore from './binding-store.ts';
import type { Projects } from './projects.ts';
import * as store from './store.ts';

export type { ProjectBinding } from './binding-store.ts';

/** Project whose tags change, in a transaction that has locked its row. */
export interface TaggedProject {
  readonly id: string;
  readonly organizationId: string;
}

/** Manages the key-value tags of projects. Their workspaces inherit them (effective tag bindings of HCP Terraform). */
export class ProjectBindings {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #projects: Projects;

  constructor(database: Database, clock: Clock, projects: Projects) {
    this.#database = database;
    this.#clock = clock;
    this.#projects = projects;
  }

  /** Lists the tags by key. */
  async list(actor: Actor, id: string): Promise<bindingStore.ProjectBinding[]> {
    await this.#projects.find(actor, id, 'can-read');
    return bindingStore.bindingsOfProject(this.#database, id);
  }

  /**
   * Returns the tags that workspaces of these projects inherit, by key. Everyone who can see the workspace may see
   * them.
   */
  async inherited(projectIds: readonly string[]): Promise<bindingStore.ProjectBinding[]> {
    return projectIds.length === 0 ? [] : bindingStore.bindingsOfProjects(this.#database, projectIds);
  }

  /** Adds and changes tags. Returns all tags of the project, starting with the given ones in their order. */
  async bind(actor: Actor, id: string, entries: BindingEntries): Promise<bindingStore.ProjectBinding[]> {
    const given = await this.#change(actor, id, entries, putBindings);
    const rank = ({ key }: KeyValue) => {
      const index = given.findIndex((binding) => binding.key === key);
      return index < 0 ? given.length : index;
    };
    const all = await bindingStore.bindingsOfProject(this.#database, id);
    return all.toSorted((one, other) => rank(one) - rank(other));
  }

  /** Replaces all tags with the given ones. */
  async replace(actor: Actor, id: string, entries: BindingEntries): Promise<void> {
    await this.#change(actor, id, entries, replaceBindings);
  }

  async #change(
    actor: Actor,
    id: string,
    entries: BindingEntries,
    change: typeof putBindings,
  ): Promise<readonly KeyValue[]> {
    const { organizationId } = await this.#projects.find(actor, id, 'can-manage-tags');
    const given = keyValues(entries, '/data');
    await this.#database.transaction(async (tx) => {
      if ((await store.claimProject(tx, id)) === undefined) throw notFound();
      await change(tx, { id, organizationId }, given, this.#clock());
    });
    return given;
  }
}

/**
 * Adds and changes tags. Keeps keys that are not given.
 * @throws 422 beyond the limit
 */
export async function putBindings(
  tx: Transaction,
  { id: projectId, organizationId }: TaggedProject,
  bindings: readonly KeyValue[],
  now: number,
): Promise<void> {
  const known = await bindingStore.bindingsOfProject(tx, projectId);
  checkBindingCount(new Set([...known, ...bindings].map(({ key }) => key)).size);
  for (const { key, value } of bindings) {
    await bindingStore.putBinding(tx, {
      id: prefixedId('tb', now),
      organizationId,
      projectId,
      key,
      value,
      createdAt: now,
    });
  }
}

/**
 * Deletes keys that are not given.
 * @throws 422 beyond the limit
 */
export async function replaceBindings(
  tx: Transaction,
  project: TaggedProject,
  bindings: readonly KeyValue[],
  now: number,
): Promise<void> {
  const kept = new Set(bindings.map(({ key }) => key));
  for (const { id, key } of await bindingStore.bindingsOfProject(tx, project.id)) {
    if (!kept.has(key)) await bindingStore.removeBinding(tx, id);
  }
  await putBindings(tx, project, bindings, now);
}
