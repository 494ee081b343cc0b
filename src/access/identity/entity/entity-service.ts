import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { yieldIfDue } from '../../../lib/slices.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { changing } from '../common/changing.ts';
import { plainName, storedName } from '../common/names.ts';
import { GroupMembers } from '../group/group-members.ts';
import type { Entity, EntityDetails, EntityWithAliases } from './entity.ts';
import { EntityAliasStore } from './entity-alias-store.ts';
import { type EntityChange, entityChange } from './entity-fields.ts';
import type { EntityGrants } from './entity-grants.ts';
import { EntityStore } from './entity-store.ts';
import { mergeEntities } from './merge.ts';
import { newEntity } from './new-entity.ts';

/** @limit entities deleted by one request, entities -> 400 */
const MAX_DELETED = 1_000;
/** Number of entities in one transaction. */
const DELETED_AT_ONCE = 50;

type Body = Readonly<Record<string, unknown>>;

/** Identifies an entity. */
export type EntityKey = { readonly id: string } | { readonly name: string };

/** Management of entities. */
export class EntityService {
  readonly store: EntityStore;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #holdingsOf: (entityId: string) => Promise<EntityGrants>;

  constructor(database: Database, clock: Clock, holdingsOf: (entityId: string) => Promise<EntityGrants>) {
    this.store = new EntityStore(database);
    this.#database = database;
    this.#clock = clock;
    this.#holdingsOf = holdingsOf;
  }

  async find(key: EntityKey): Promise<EntityWithAliases | undefined> {
    const entity = await find(this.store, key);
    return entity && { ...entity, aliases: await new EntityAliasStore(this.#database).ofEntity(entity.id) };
  }

  async details(key: EntityKey): Promise<EntityDetails | undefined> {
    const entity = await this.find(key);
    if (!entity) return undefined;
    const { groups } = await this.#holdingsOf(entity.id);
    const ids = (direct: boolean) => groups.filter((group) => group.direct === direct).map(({ id }) => id);
    return {
      ...entity,
      mergedEntityIds: await this.store.mergedInto(entity.id),
      directGroupIds: ids(true),
      inheritedGroupIds: ids(false),
    };
  }

  /**
   * Creates or updates an entity.
   * @param key entity to update; an unknown name, or no key, creates an entity
   * @returns the created entity; undefined after an update
   * @throws AppError bad-request
   */
  write(key: EntityKey | undefined, body: Body): Promise<Entity | undefined> {
    const asked = entityChange(body);
    const change = key && 'name' in key ? { ...asked, name: storedName(key.name) } : asked;
    return changing(this.#database, async (tx) => {
      const store = new EntityStore(tx);
      const named = change.name === undefined ? undefined : await store.findByName(change.name);
      if (key && 'id' in key) {
        const stored = (await store.find(key.id)) ?? refuse('entity not found from id');
        if (named && named.id !== stored.id) refuse('entity name is already in use');
        return this.#update(store, stored, change);
      }
      return named ? this.#update(store, named, change) : this.#create(store, change);
    });
  }

  /**
   * Deletes an entity. All its tokens are revoked at once. The next login with one of its names creates a new entity.
   */
  remove(key: EntityKey): Promise<void> {
    return changing(this.#database, async (tx) => {
      const entity = await find(new EntityStore(tx), key);
      if (entity) await removeEntity(tx, entity.id);
    });
  }

  /**
   * Deletes entities; unknown ids are ignored.
   * @throws AppError bad-request
   */
  async removeAll(given: readonly string[]): Promise<void> {
    const ids = [...new Set(given)].filter((id) => id !== '');
    if (ids.length === 0) refuse('missing entity ids to delete');
    if (ids.length > MAX_DELETED) refuse(`one request can delete at most ${MAX_DELETED} entities`);
    for (let from = 0; from < ids.length; from += DELETED_AT_ONCE) {
      await changing(this.#database, async (tx) => {
        for (const id of ids.slice(from, from + DELETED_AT_ONCE)) await removeEntity(tx, id);
      });
      await yieldIfDue();
    }
  }

  /**
   * Merges several entities into one.
   * @throws AppError bad-request; a Clash if the request must name the aliases to keep
   */
  merge(body: Body): Promise<void> {
    return mergeEntities(this.#database, this.#clock, body);
  }

  async #create(store: EntityStore, change: EntityChange): Promise<Entity> {
    const entity = { ...newEntity(this.#clock()), ...change };
    await store.insert(entity);
    return entity;
  }

  async #update(store: EntityStore, stored: Entity, change: EntityChange): Promise<undefined> {
    await store.update({ ...stored, ...change, updatedAt: this.#clock() });
  }
}

function find(store: EntityStore, key: EntityKey): Promise<Entity | undefined> {
  return 'id' in key ? store.find(key.id) : store.findByName(plainName(key.name));
}

async function removeEntity(tx: Transaction, id: string): Promise<void> {
  await new GroupMembers(tx).forgetEntity(id);
  await new EntityAliasStore(tx).removeOfEntity(id);
  await new EntityStore(tx).remove(id);
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
