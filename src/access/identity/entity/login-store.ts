import { randomUUID } from 'node:crypto';
import { type Database, type Queries, sql } from '../../../storage/index.ts';
import { IDENTITY_VERSION } from '../common/changing.ts';
import { EntityStore } from './entity-store.ts';
import { newEntity } from './new-entity.ts';

type Key = { mount_id: string; name: string; issuer: string };

/** An existing alias with the entity fields that a login needs. */
export interface KnownAlias {
  readonly id: string;
  readonly entity_id: string;
  /** Metadata as JSON, or null. */
  readonly metadata: string | null;
  /** Whether the entity is disabled: 0 or 1. */
  readonly disabled: number;
  /** Identity version at the time of the read. */
  readonly identity_version: number;
}

// An alias without an issuer applies to every issuer of the mount and takes precedence.
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

/** Unique key of an alias. */
export interface AliasKey {
  readonly mountId: string;
  readonly name: string;
  /** Key of the issuer that vouches for the name. Empty: the mount does. */
  readonly issuer: string;
}

const columns = ({ mountId, name, issuer }: AliasKey): Key => ({ mount_id: mountId, name, issuer });

/** Database access of logins to identities. */
export class LoginStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Finds an alias with one indexed read. */
  find(key: AliasKey): Promise<KnownAlias | undefined> {
    return this.#database.one(find, columns(key));
  }

  /** Creates an alias and its entity. If a concurrent login has created it first, returns that one. */
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

  /** Returns the alias of this login, or of one that inserted it first. */
  async #there(tx: Queries, key: Key): Promise<KnownAlias> {
    const known = await tx.one(find, key);
    if (!known) throw new Error('an alias is missing after its insert');
    return known;
  }
}
