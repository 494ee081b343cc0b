import { type Queries, sql } from '../../../storage/index.ts';
import type { Entity, EntityWithAliases } from './entity.ts';
import { EntityAliasStore } from './entity-alias-store.ts';

type Row = {
  id: string;
  name: string;
  metadata: string;
  policies: string;
  disabled: number;
  created_at: number;
  updated_at: number;
};

const ENTITY = 'id, name, metadata, policies, disabled, created_at, updated_at';

const byId = sql<{ id: string }, Row>(`SELECT ${ENTITY} FROM entity WHERE id = :id`);
const byName = sql<{ name: string }, Row>(`SELECT ${ENTITY} FROM entity WHERE name = :name`);
const page = sql<{ after: string; most: number }, Row>(
  `SELECT ${ENTITY} FROM entity WHERE id > :after ORDER BY id LIMIT :most`,
);
const names = sql<{ after: string; most: number }, { name: string }>(
  'SELECT name FROM entity WHERE name > :after ORDER BY name LIMIT :most',
);
const insert = sql<Row>(
  `INSERT INTO entity (${ENTITY}) VALUES (:id, :name, :metadata, :policies, :disabled, :created_at, :updated_at)`,
);
const update = sql<Row>(
  `UPDATE entity SET name = :name, metadata = :metadata, policies = :policies, disabled = :disabled, created_at = :created_at,
     updated_at = :updated_at WHERE id = :id`,
);
const remove = sql<{ id: string }>('DELETE FROM entity WHERE id = :id');

const merged = sql<{ entity_id: string }, { id: string }>(
  'SELECT id FROM merged_entity WHERE entity_id = :entity_id ORDER BY id',
);
const remerge = sql<{ from: string; to: string }>('UPDATE merged_entity SET entity_id = :to WHERE entity_id = :from');
const merge = sql<{ from: string; to: string }>('INSERT INTO merged_entity (id, entity_id) VALUES (:from, :to)');
const forgetMerged = sql<{ entity_id: string }>('DELETE FROM merged_entity WHERE entity_id = :entity_id');

/** Stores entities, and records which entities were merged into them. */
export class EntityStore {
  readonly #queries: Queries;

  /** @param queries a transaction, if several statements belong together */
  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async find(id: string): Promise<Entity | undefined> {
    const row = await this.#queries.one(byId, { id });
    return row && toEntity(row);
  }

  async findByName(name: string): Promise<Entity | undefined> {
    const row = await this.#queries.one(byName, { name });
    return row && toEntity(row);
  }

  /** Returns a page in order of ids. */
  async page(after: string, most: number): Promise<EntityWithAliases[]> {
    const rows = await this.#queries.all(page, { after, most });
    const last = rows.at(-1)?.id;
    const aliases = last === undefined ? [] : await new EntityAliasStore(this.#queries).ofEntities(after, last);
    const byEntity = Map.groupBy(aliases, ({ entityId }) => entityId);
    return rows.map((row) => ({ ...toEntity(row), aliases: byEntity.get(row.id) ?? [] }));
  }

  async names(after: string, most: number): Promise<string[]> {
    return (await this.#queries.all(names, { after, most })).map(({ name }) => name);
  }

  async insert(entity: Entity): Promise<void> {
    await this.#queries.run(insert, toRow(entity));
  }

  async update(entity: Entity): Promise<void> {
    await this.#queries.run(update, toRow(entity));
  }

  /** Removes an entity. Its aliases and memberships must be removed before. */
  async remove(id: string): Promise<void> {
    await this.#queries.run(forgetMerged, { entity_id: id });
    await this.#queries.run(remove, { id });
  }

  /** Returns the ids of the entities that were merged into this one. */
  async mergedInto(id: string): Promise<string[]> {
    return (await this.#queries.all(merged, { entity_id: id })).map((row) => row.id);
  }

  /**
   * Removes an entity and records the merge: references to it, or to an entity merged into it, then resolve to the
   * other one.
   */
  async mergeInto(from: string, to: string): Promise<void> {
    await this.#queries.run(remerge, { from, to });
    await this.#queries.run(merge, { from, to });
    await this.#queries.run(remove, { id: from });
  }
}

function toRow(entity: Entity): Row {
  return {
    id: entity.id,
    name: entity.name,
    metadata: JSON.stringify(entity.metadata),
    policies: JSON.stringify(entity.policies),
    disabled: entity.disabled ? 1 : 0,
    created_at: entity.createdAt,
    updated_at: entity.updatedAt,
  };
}

function toEntity(row: Row): Entity {
  return {
    id: row.id,
    name: row.name,
    metadata: JSON.parse(row.metadata),
    policies: JSON.parse(row.policies),
    disabled: row.disabled === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
