import { randomBytes, randomUUID } from 'node:crypto';
import { type Database, type Queries, sql } from '../../storage/index.ts';

type Key = { mount_id: string; name: string; issuer: string };

/** What a login needs to know of an alias that is there. */
export interface KnownAlias {
  readonly id: string;
  readonly entity_id: string;
  /** JSON, or null. */
  readonly metadata: string | null;
  /** Of the entity: 0 or 1. */
  readonly disabled: number;
}

const find = sql<Key, KnownAlias>(
  `SELECT entity_alias.id, entity_alias.entity_id, entity_alias.metadata, entity.disabled
   FROM entity_alias JOIN entity ON entity.id = entity_alias.entity_id
   WHERE entity_alias.mount_id = :mount_id AND entity_alias.name = :name AND entity_alias.issuer = :issuer`,
);
const insertEntity = sql<{ id: string; name: string; now: number }>(
  `INSERT INTO entity (id, name, metadata, disabled, created_at, updated_at) VALUES (:id, :name, '{}', 0, :now, :now)`,
);
const insertAlias = sql<Key & { id: string; entity_id: string; metadata: string | null; now: number }>(
  `INSERT INTO entity_alias (id, entity_id, mount_id, name, issuer, metadata, created_at, updated_at)
   VALUES (:id, :entity_id, :mount_id, :name, :issuer, :metadata, :now, :now)
   ON CONFLICT (mount_id, name, issuer) DO NOTHING`,
);
const setMetadata = sql<{ id: string; metadata: string | null; now: number }>(
  'UPDATE entity_alias SET metadata = :metadata, updated_at = :now WHERE id = :id',
);
const removeEntity = sql<{ id: string }>('DELETE FROM entity WHERE id = :id');

/** What tells aliases apart. */
export interface AliasKey {
  readonly mountId: string;
  readonly name: string;
  /** Who vouches for the name; empty where the mount itself does. */
  readonly issuer: string;
}

const columns = ({ mountId, name, issuer }: AliasKey): Key => ({ mount_id: mountId, name, issuer });

/** What a login reads and writes of identities. */
export class LoginStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** One read by index. */
  find(key: AliasKey): Promise<KnownAlias | undefined> {
    return this.#database.one(find, columns(key));
  }

  /** Makes the alias and an entity for it, unless another login has just done so: one of them, whoever comes first. */
  findOrCreate(alias: AliasKey, metadata: string | null, now: number): Promise<KnownAlias> {
    const key = columns(alias);
    return this.#database.transaction(async (tx) => {
      const known = await tx.one(find, key);
      if (known) return known;
      const created = { id: randomUUID(), entity_id: randomUUID(), metadata };
      await tx.run(insertEntity, { id: created.entity_id, name: `entity_${randomBytes(8).toString('hex')}`, now });
      const inserted = await tx.run(insertAlias, { ...key, ...created, now });
      return inserted === 1 ? { ...created, disabled: 0 } : this.#other(tx, created.entity_id, key);
    });
  }

  async setMetadata(id: string, metadata: string | null, now: number): Promise<void> {
    await this.#database.run(setMetadata, { id, metadata, now });
  }

  /** Another login came first, between our look and our insert. */
  async #other(tx: Queries, ours: string, key: Key): Promise<KnownAlias> {
    await tx.run(removeEntity, { id: ours });
    const known = await tx.one(find, key);
    if (!known) throw new Error('an alias that is there and is not');
    return known;
  }
}
