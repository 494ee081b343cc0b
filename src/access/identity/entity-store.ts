import { type Database, sql } from '../../storage/index.ts';
import { TOKEN_MOUNT } from '../mounts/fixed-mounts.ts';
import type { Entity, EntityWithAliases, MountedAlias } from './entity.ts';

interface EntityRow {
  id: string;
  name: string;
  metadata: string;
  disabled: number;
  created_at: number;
  updated_at: number;
}

interface AliasRow {
  id: string;
  entity_id: string;
  mount_id: string;
  name: string;
  metadata: string | null;
  created_at: number;
  updated_at: number;
  accessor: string;
  path: string;
  type: string;
}

const ENTITY = 'id, name, metadata, disabled, created_at, updated_at';
/** Of the token store, which has no row among the mounts. */
const TOKEN = TOKEN_MOUNT.accessor;
/** Those of mounts that are there: an alias of a mount that was disabled is as good as gone. */
const ALIAS = `SELECT entity_alias.id, entity_id, mount_id, name, metadata, created_at, updated_at,
    coalesce(accessor, '${TOKEN}') AS accessor, coalesce(path, 'token') AS path, coalesce(type, 'token') AS type
  FROM entity_alias LEFT JOIN mount ON mount.id = entity_alias.mount_id
  WHERE (mount.id IS NOT NULL AND mount.removed_at IS NULL OR mount_id = '${TOKEN}')`;

const byId = sql<{ id: string }, EntityRow>(`SELECT ${ENTITY} FROM entity WHERE id = :id`);
const byName = sql<{ name: string }, EntityRow>(`SELECT ${ENTITY} FROM entity WHERE name = :name`);
const page = sql<{ after: string; most: number }, EntityRow>(
  `SELECT ${ENTITY} FROM entity WHERE id > :after ORDER BY id LIMIT :most`,
);
const names = sql<{ after: string; most: number }, { name: string }>(
  'SELECT name FROM entity WHERE name > :after ORDER BY name LIMIT :most',
);
const update = sql<Omit<EntityRow, 'created_at'>>(
  `UPDATE entity SET name = :name, metadata = :metadata, disabled = :disabled, updated_at = :updated_at WHERE id = :id`,
);
const remove = sql<{ id: string }>('DELETE FROM entity WHERE id = :id');

const aliasesOf = sql<{ entity_id: string }, AliasRow>(`${ALIAS} AND entity_id = :entity_id ORDER BY entity_alias.id`);
const aliasesOfPage = sql<{ after: string; last: string }, AliasRow>(
  `${ALIAS} AND entity_id > :after AND entity_id <= :last ORDER BY entity_id, entity_alias.id`,
);
const aliasById = sql<{ id: string }, AliasRow>(`${ALIAS} AND entity_alias.id = :id`);
const mountOf = sql<{ accessor: string }, { id: string }>('SELECT id FROM mount WHERE accessor = :accessor');
const aliasByName = sql<{ mount_id: string; name: string }, AliasRow>(
  `${ALIAS} AND mount_id = :mount_id AND name = :name ORDER BY entity_alias.id LIMIT 1`,
);
const aliasPage = sql<{ after: string; most: number }, AliasRow>(
  `${ALIAS} AND entity_alias.id > :after ORDER BY entity_alias.id LIMIT :most`,
);
const removeAlias = sql<{ id: string }>('DELETE FROM entity_alias WHERE id = :id');
const removeAliasesOf = sql<{ entity_id: string }>('DELETE FROM entity_alias WHERE entity_id = :entity_id');
const removeOfMount = sql<{ mount_id: string; most: number }>(
  `DELETE FROM entity_alias WHERE id IN (
     SELECT id FROM entity_alias WHERE mount_id = :mount_id ORDER BY name LIMIT :most)`,
);

/** Entities, and what they are called at the mounts. */
export class EntityStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(id: string): Promise<EntityWithAliases | undefined> {
    return this.#withAliases(await this.#database.one(byId, { id }));
  }

  async findByName(name: string): Promise<EntityWithAliases | undefined> {
    return this.#withAliases(await this.#database.one(byName, { name }));
  }

  /** By id. */
  async page(after: string, most: number): Promise<EntityWithAliases[]> {
    const rows = await this.#database.all(page, { after, most });
    const last = rows.at(-1)?.id;
    const aliases = last === undefined ? [] : await this.#database.all(aliasesOfPage, { after, last });
    const byEntity = Map.groupBy(aliases.map(toAlias), ({ entityId }) => entityId);
    return rows.map((row) => ({ ...toEntity(row), aliases: byEntity.get(row.id) ?? [] }));
  }

  async names(after: string, most: number): Promise<string[]> {
    return (await this.#database.all(names, { after, most })).map(({ name }) => name);
  }

  /** `missing`, or `taken` when another has the name that `change` gives: nothing is changed then. */
  change(id: string, change: (entity: Entity) => Entity): Promise<'changed' | 'missing' | 'taken'> {
    return this.#database.transaction(async (tx) => {
      const row = await tx.one(byId, { id });
      if (!row) return 'missing';
      const { name, metadata, disabled, updatedAt } = change(toEntity(row));
      const other = await tx.one(byName, { name });
      if (other && other.id !== id) return 'taken';
      const changed = { metadata: JSON.stringify(metadata), disabled: disabled ? 1 : 0, updated_at: updatedAt };
      await tx.run(update, { id, name, ...changed });
      return 'changed';
    });
  }

  /** With its aliases. */
  remove(id: string): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await tx.run(removeAliasesOf, { entity_id: id });
      await tx.run(remove, { id });
    });
  }

  async findAlias(id: string): Promise<MountedAlias | undefined> {
    const row = await this.#database.one(aliasById, { id });
    return row && toAlias(row);
  }

  /** At the mount with this accessor and no other. */
  async findAliasByName(accessor: string, name: string): Promise<MountedAlias | undefined> {
    const mount = accessor === TOKEN ? { id: TOKEN } : await this.#database.one(mountOf, { accessor });
    const row = mount && (await this.#database.one(aliasByName, { mount_id: mount.id, name }));
    return row && toAlias(row);
  }

  /** By id. */
  async aliasPage(after: string, most: number): Promise<MountedAlias[]> {
    return (await this.#database.all(aliasPage, { after, most })).map(toAlias);
  }

  async removeAlias(id: string): Promise<void> {
    await this.#database.run(removeAlias, { id });
  }

  /** The number removed. */
  removeAliasesOfMount(mountId: string, most: number): Promise<number> {
    return this.#database.run(removeOfMount, { mount_id: mountId, most });
  }

  async #withAliases(row: EntityRow | undefined): Promise<EntityWithAliases | undefined> {
    if (!row) return undefined;
    const aliases = await this.#database.all(aliasesOf, { entity_id: row.id });
    return { ...toEntity(row), aliases: aliases.map(toAlias) };
  }
}

function toEntity(row: EntityRow): Entity {
  return {
    id: row.id,
    name: row.name,
    metadata: JSON.parse(row.metadata),
    disabled: row.disabled === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toAlias(row: AliasRow): MountedAlias {
  return {
    id: row.id,
    entityId: row.entity_id,
    mountId: row.mount_id,
    name: row.name,
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    mountAccessor: row.accessor,
    mountPath: row.path,
    mountType: row.type,
  };
}
