import { LRUCache } from 'lru-cache';
import { type Database, type Queries, sql } from '../../../storage/index.ts';
import { changing } from '../common/changing.ts';

type AtMount = { entity_id: string; mount_id: string };
type Id = { id: string };

/** Number of names in one statement. Logins rarely have more. */
const SOME = 50;
const NAMES = `(${Array.from({ length: SOME }, (_, at) => `:name${at}`).join(', ')})`;

const named = sql<Record<string, string>, Id>(
  `SELECT group_id AS id FROM group_alias WHERE mount_id = :mount_id AND name IN ${NAMES}`,
);
const anyAlias = sql<{ mount_id: string }, Id>('SELECT id FROM group_alias WHERE mount_id = :mount_id LIMIT 1');
const held = sql<AtMount, Id>(
  `SELECT group_entity.group_id AS id FROM group_entity JOIN group_alias ON group_alias.group_id = group_entity.group_id
   WHERE group_entity.entity_id = :entity_id AND group_alias.mount_id = :mount_id`,
);
const add = sql<{ entity_id: string; id: string }>(
  `INSERT INTO group_entity (entity_id, group_id) SELECT entity.id, identity_group.id FROM entity, identity_group
   WHERE entity.id = :entity_id AND identity_group.id = :id ON CONFLICT (entity_id, group_id) DO NOTHING`,
);
const remove = sql<{ entity_id: string; id: string }>(
  'DELETE FROM group_entity WHERE entity_id = :entity_id AND group_id = :id',
);
const countBy = sql<{ id: string; by: number }>('UPDATE identity_group SET entities = entities + :by WHERE id = :id');

/** @limit group memberships from logins in memory, entities -> the least recently used ones are read again */
const MOST_KEPT = 20_000;

/** @limit mounts without external groups in memory, mounts -> the least recently used one is read again */
const MOST_MOUNTS = 1_000;

interface Kept {
  readonly version: number;
  readonly names: string;
}

export interface ExternalGroups {
  readonly entityId: string;
  readonly mountId: string;
  /** Group names of the login, normalized like stored aliases. */
  readonly names: readonly string[];
  /** Identity version that was read with the entity. */
  readonly version: number;
}

/**
 * Memberships of external groups. Each login replaces the entity's memberships in the groups that have an alias at
 * the login's mount. A group that the login does not name is left at the next request.
 */
export class ExternalMembers {
  readonly #database: Database;
  readonly #kept = new LRUCache<string, Kept>({ max: MOST_KEPT });
  /** Mounts without external groups, with the identity version at which they had none. */
  readonly #groupless = new LRUCache<string, number>({ max: MOST_MOUNTS });

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Stores the memberships of a login. Reads nothing if the previous login had the same groups and identities have
   * not changed.
   * @returns whether anything has changed
   */
  async put({ entityId, mountId, names, version }: ExternalGroups): Promise<boolean> {
    if (await this.#hasNoGroups(mountId, version)) return false;
    const key = `${mountId}/${entityId}`;
    const said = JSON.stringify(names);
    const known = this.#kept.get(key);
    if (known?.version === version && known.names === said) return false;
    const at = { entity_id: entityId, mount_id: mountId };
    if (isSame(await difference(this.#database, at, names))) {
      this.#kept.set(key, { version, names: said });
      return false;
    }
    await changing(this.#database, async (tx) => {
      const { added, gone } = await difference(tx, at, names);
      for (const id of added) await change(tx, add, entityId, id, 1);
      for (const id of gone) await change(tx, remove, entityId, id, -1);
    });
    return true;
  }

  /** Most mounts have no groups. This is read once for each identity version, and not for each login. */
  async #hasNoGroups(mountId: string, version: number): Promise<boolean> {
    // Version 0: no group was ever written.
    if (version === 0 || this.#groupless.get(mountId) === version) return true;
    if (await this.#database.one(anyAlias, { mount_id: mountId })) return false;
    this.#groupless.set(mountId, version);
    return true;
  }
}

async function change(
  queries: Queries,
  statement: typeof add,
  entityId: string,
  id: string,
  by: 1 | -1,
): Promise<void> {
  if ((await queries.run(statement, { entity_id: entityId, id })) > 0) await queries.run(countBy, { id, by });
}

interface Difference {
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

const isSame = ({ added, gone }: Difference): boolean => added.length === 0 && gone.length === 0;

async function difference(queries: Queries, at: AtMount, names: readonly string[]): Promise<Difference> {
  const wanted = new Set<string>();
  for (let from = 0; from < names.length; from += SOME) {
    const some = Array.from({ length: SOME }, (_, n) => [`name${n}`, names[from + n] ?? names[from] ?? '']);
    const found = await queries.all(named, { mount_id: at.mount_id, ...Object.fromEntries(some) });
    for (const { id } of found) wanted.add(id);
  }
  const before = new Set((await queries.all(held, at)).map(({ id }) => id));
  return {
    added: [...wanted].filter((id) => !before.has(id)).sort(),
    gone: [...before].filter((id) => !wanted.has(id)).sort(),
  };
}
