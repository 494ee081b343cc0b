import type { Clock } from '../../../lib/clock.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, type BindingEntries, keyValues } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../model/finder.ts';
import * as store from '../model/store.ts';
import type { WorkspaceView } from '../model/workspace.ts';
import type { TagEntries } from '../settings/schema.ts';
import type { Binding } from './binding-store.ts';
import * as bindingStore from './binding-store.ts';
import type { EffectiveBinding, EffectiveBindings } from './effective-bindings.ts';
import { checkTagNames, tagTargets } from './rules.ts';
import type { TagRow } from './store.ts';
import * as tagStore from './store.ts';
import { addTags, detachTags, putBindings, replaceBindings, type Tagged } from './tagging.ts';

/** Manages the flat tags and the key-value tags of a workspace (spec §4.10). */
export class WorkspaceTags {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #finder: WorkspaceFinder;
  readonly #effective: EffectiveBindings;

  constructor(database: Database, clock: Clock, finder: WorkspaceFinder, effective: EffectiveBindings) {
    this.#database = database;
    this.#clock = clock;
    this.#finder = finder;
    this.#effective = effective;
  }

  async list(actor: Actor, id: string, containing: string, page: Page): Promise<Slice<TagRow>> {
    await this.#finder.find(actor, { id }, 'can-read-settings');
    return tagStore.listTags(this.#database, id, containing, page);
  }

  /**
   * Adds tags.
   * @throws 404 for an unknown tag id, 422 for an invalid name, and for too many tags
   */
  async add(actor: Actor, id: string, entries: TagEntries): Promise<void> {
    const workspace = await this.#finder.find(actor, { id }, 'can-manage-tags');
    const targets = tagTargets(entries, '/data');
    checkTagNames(targets, '/data');
    await this.#change(workspace, (tx, to, now) => addTags(tx, to, targets, now, '/data'));
  }

  /** Requires an administrator, as in HCP Terraform. @throws 404 for an unknown tag id */
  async remove(actor: Actor, id: string, entries: TagEntries): Promise<void> {
    const workspace = await this.#finder.find(actor, { id }, 'can-update');
    const targets = tagTargets(entries, '/data');
    await this.#change(workspace, (tx, from) => detachTags(tx, from, targets));
  }

  /**
   * Adds one tag to all of the workspaces or to none. @throws 404 for an unknown tag, or a workspace that the actor
   * may not tag
   */
  async addToEach(actor: Actor, tagId: string, workspaceIds: readonly string[]): Promise<void> {
    const found: WorkspaceView[] = [];
    // A fixed order prevents deadlocks between transactions.
    for (const id of [...new Set(workspaceIds)].sort()) {
      found.push(await this.#finder.find(actor, { id }, 'can-manage-tags'));
    }
    await this.#changeEach(found, (tx, to, now) => addTags(tx, to, [{ id: tagId }], now, '/data'));
  }

  /** Returns the workspace's own bindings by key. */
  async bindings(actor: Actor, id: string): Promise<Binding[]> {
    await this.#finder.find(actor, { id }, 'can-read-settings');
    return bindingStore.bindingsOfWorkspace(this.#database, id);
  }

  /** Returns the effective bindings of the workspace and its project by key. */
  async effectiveBindings(actor: Actor, id: string): Promise<readonly EffectiveBinding[]> {
    const workspace = await this.#finder.find(actor, { id }, 'can-read-settings');
    return (await this.#effective.bindingsOf([workspace])).get(id) ?? [];
  }

  /**
   * Replaces all key-value tags of the workspace.
   * @throws 422 when there are too many, or a key cannot be overridden
   */
  async replaceBindings(actor: Actor, id: string, entries: BindingEntries): Promise<void> {
    const workspace = await this.#finder.find(actor, { id }, 'can-manage-tags');
    const given = keyValues(entries, '/data');
    await this.#change(workspace, (tx, to, now) => replaceBindings(tx, to, given, now));
  }

  /** Adds and changes bindings. Returns all bindings of the workspace: first the given ones, in their order. */
  async bind(actor: Actor, id: string, entries: BindingEntries): Promise<Binding[]> {
    const workspace = await this.#finder.find(actor, { id }, 'can-manage-tags');
    const given = keyValues(entries, '/data');
    await this.#change(workspace, (tx, to, now) => putBindings(tx, to, given, now));
    const all = await bindingStore.bindingsOfWorkspace(this.#database, id);
    const rank = ({ key }: Binding) => {
      const index = given.findIndex((binding) => binding.key === key);
      return index < 0 ? given.length : index;
    };
    return all.toSorted((one, other) => rank(one) - rank(other));
  }

  #change(workspace: WorkspaceView, work: Work): Promise<void> {
    return this.#changeEach([workspace], work);
  }

  /** The links contain a copy of the workspace's name, which is current once the row is locked. */
  async #changeEach(workspaces: readonly WorkspaceView[], work: Work): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const now = this.#clock();
      for (const { id, organizationId } of workspaces) {
        const current = await store.touchWorkspace(tx, id, now);
        if (current === undefined) throw notFound();
        await work(tx, { id, organizationId, name: current.name }, now);
      }
    });
  }
}

type Work = (tx: Transaction, tagged: Tagged, now: number) => Promise<void>;
