import { type Queries, sql } from '../../../storage/index.ts';
import type { Alias, MountedAlias } from '../alias/alias.ts';
import { type AliasMountRow, findMount, MOUNT_COLUMNS, toAliasMount, withMounts } from '../alias/alias-mounts.ts';
import { aliasNameAt } from '../alias/alias-name.ts';
import type { Metadata } from '../common/metadata.ts';

type Row = {
  id: string;
  entity_id: string;
  mount_id: string;
  name: string;
  issuer: string;
  metadata: string | null;
  custom_metadata: string | null;
  merged_from: string | null;
  created_at: number;
  updated_at: number;
};
type MountedRow = Row & AliasMountRow;

const COLUMNS = 'id entity_id mount_id name issuer metadata custom_metadata merged_from created_at updated_at'.split(
  ' ',
);
const ALIAS = `SELECT ${COLUMNS.map((column) => `entity_alias.${column}`).join(', ')}, ${MOUNT_COLUMNS}
  ${withMounts('entity_alias')}`;

const ofEntity = sql<{ entity_id: string }, MountedRow>(
  `${ALIAS} AND entity_alias.entity_id = :entity_id ORDER BY entity_alias.id`,
);
const ofEntities = sql<{ after: string; last: string }, MountedRow>(
  `${ALIAS} AND entity_alias.entity_id > :after AND entity_alias.entity_id <= :last
   ORDER BY entity_alias.entity_id, entity_alias.id`,
);
const byId = sql<{ id: string }, MountedRow>(`${ALIAS} AND entity_alias.id = :id`);
// The alias without an issuer, which applies to all issuers of the mount, comes first.
const byName = sql<{ mount_id: string; name: string }, MountedRow>(
  `${ALIAS} AND entity_alias.mount_id = :mount_id AND entity_alias.name = :name
   ORDER BY entity_alias.issuer, entity_alias.id LIMIT 2`,
);
const page = sql<{ after: string; most: number }, MountedRow>(
  `${ALIAS} AND entity_alias.id > :after ORDER BY entity_alias.id LIMIT :most`,
);
const atMount = sql<{ entity_id: string; mount_id: string }, { id: string }>(
  'SELECT id FROM entity_alias WHERE entity_id = :entity_id AND mount_id = :mount_id',
);
const insert = sql<Row>(
  `INSERT INTO entity_alias (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((column) => `:${column}`).join(', ')})`,
);
const update = sql<Row>(
  `UPDATE entity_alias SET entity_id = :entity_id, mount_id = :mount_id, name = :name, issuer = :issuer, metadata = :metadata,
     custom_metadata = :custom_metadata, merged_from = :merged_from, created_at = :created_at, updated_at = :updated_at
   WHERE id = :id`,
);
const remove = sql<{ id: string }>('DELETE FROM entity_alias WHERE id = :id');
const removeOfEntity = sql<{ entity_id: string }>('DELETE FROM entity_alias WHERE entity_id = :entity_id');
const removeOfMount = sql<{ mount_id: string; most: number }>(
  `DELETE FROM entity_alias WHERE id IN (
     SELECT id FROM entity_alias WHERE mount_id = :mount_id ORDER BY name LIMIT :most)`,
);

/** Stores entity aliases. */
export class EntityAliasStore {
  readonly #queries: Queries;

  /** @param queries a transaction, if several statements belong together */
  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async ofEntity(entityId: string): Promise<MountedAlias[]> {
    return (await this.#queries.all(ofEntity, { entity_id: entityId })).map(toAlias);
  }

  /** Returns the aliases of the entities with ids after `after`, up to `last`. */
  async ofEntities(after: string, last: string): Promise<MountedAlias[]> {
    return (await this.#queries.all(ofEntities, { after, last })).map(toAlias);
  }

  async find(id: string): Promise<MountedAlias | undefined> {
    const row = await this.#queries.one(byId, { id });
    return row && toAlias(row);
  }

  /** Finds an alias at the mount with this accessor. */
  async findByName(accessor: string, text: string): Promise<MountedAlias | undefined> {
    const mountId = await findMount(this.#queries, accessor);
    const name = mountId === undefined ? undefined : aliasNameAt(mountId, text);
    if (mountId === undefined || name === undefined) return undefined;
    const [found] = await this.named(mountId, name);
    return found;
  }

  /** Returns at most two aliases: several issuers of a mount may use one name. */
  async named(mountId: string, name: string): Promise<MountedAlias[]> {
    return (await this.#queries.all(byName, { mount_id: mountId, name })).map(toAlias);
  }

  /** Returns a page in order of ids. */
  async page(after: string, most: number): Promise<MountedAlias[]> {
    return (await this.#queries.all(page, { after, most })).map(toAlias);
  }

  /** Returns the id of an entity's alias at a mount. */
  async atMount(entityId: string, mountId: string): Promise<string | undefined> {
    return (await this.#queries.one(atMount, { entity_id: entityId, mount_id: mountId }))?.id;
  }

  async insert(alias: Alias): Promise<void> {
    await this.#queries.run(insert, toRow(alias));
  }

  async update(alias: Alias): Promise<void> {
    await this.#queries.run(update, toRow(alias));
  }

  async remove(id: string): Promise<void> {
    await this.#queries.run(remove, { id });
  }

  async removeOfEntity(entityId: string): Promise<void> {
    await this.#queries.run(removeOfEntity, { entity_id: entityId });
  }

  /** Returns the number removed. */
  removeOfMount(mountId: string, most: number): Promise<number> {
    return this.#queries.run(removeOfMount, { mount_id: mountId, most });
  }
}

function toRow(alias: Alias): Row {
  return {
    id: alias.id,
    entity_id: alias.entityId,
    mount_id: alias.mountId,
    name: alias.name,
    issuer: alias.issuer,
    metadata: alias.metadata && JSON.stringify(alias.metadata),
    custom_metadata: alias.customMetadata && JSON.stringify(alias.customMetadata),
    merged_from: alias.mergedFrom.length > 0 ? JSON.stringify(alias.mergedFrom) : null,
    created_at: alias.createdAt,
    updated_at: alias.updatedAt,
  };
}

function toAlias(row: MountedRow): MountedAlias {
  return {
    id: row.id,
    entityId: row.entity_id,
    mountId: row.mount_id,
    name: row.name,
    issuer: row.issuer,
    metadata: parsed(row.metadata),
    customMetadata: parsed(row.custom_metadata),
    mergedFrom: row.merged_from === null ? [] : JSON.parse(row.merged_from),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...toAliasMount(row),
  };
}

function parsed(text: string | null): Metadata | null {
  return text === null ? null : JSON.parse(text);
}
