import { randomUUID } from 'node:crypto';
import { type Database, type Queries, sql } from '../../../storage/index.ts';
import { IDENTITY_VERSION } from '../common/changing.ts';
import { EntityStore } from './entity-store.ts';
import { newEntity } from './new-entity.ts';

type Key = { mount_id: string; name: string; issuer: string };

/** What a login needs to know of an alias that is there. */
export interface KnownAlias {
  readonly id: string;
  readonly entity_id: string;
  /** JSON, or null. */
  readonly metadata: string | null;
  /** Of the entity: 0 or 1. */
  readonly disabled: number;
  /** Of what its entity may do, at that moment. */
  readonly identity_version: number;
}

// Where somebody has said whose a name is, that holds for every authority of the mount.
const find = sql<Key, KnownAlias>(
  `SELECT entity_alias.id, entity_alias.entity_id, entity_alias.metadata, entity.disabled,
     ${IDENTITY_VERSION} AS identity_version
   FROM entity_alias JOIN entity ON entity.id = entity_alias.entity_id
   WHERE entity_alias.mount_id = :mount_id AND entity_alias.name = :name AND entity_alias.issuer IN ('', :issuer)
   ORDER BY entity_alias.issuer LIMIT 1`,
);
const insertAlias = sql<Key & { id: string; entity_id: string; metadata: string | null; now: number }>(
  `INSERT INTO entity_alias (id, entity_id, mount_id, name, issuer, metadata, created_at, updated_at)
   VALUES (:id, :entity_id, :mount_id, :name, :issuer, :metadata, :now, :now)
   ON CONFLICT (mount_id, name, issuer) DO NOTHING`,
);
const setMetadata = sql<{ id: string; metadata: string | null; now: number }>(
  'UPDATE entity_alias SET metadata = :metadata, updated_at = :now WHERE id = :id',
);

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
      const entity = newEntity(now);
      await new EntityStore(tx).insert(entity);
      const inserted = await tx.run(insertAlias, { ...key, id: randomUUID(), entity_id: entity.id, metadata, now });
      if (inserted === 0) await new EntityStore(tx).remove(entity.id);
      return this.#there(tx, key);
    });
  }

  async setMetadata(id: string, metadata: string | null, now: number): Promise<void> {
    await this.#database.run(setMetadata, { id, metadata, now });
  }

  /** Of this login, or of one that came first, between our look and our insert. */
  async #there(tx: Queries, key: Key): Promise<KnownAlias> {
    const known = await tx.one(find, key);
    if (!known) throw new Error('an alias that is there and is not');
    return known;
  }
}
