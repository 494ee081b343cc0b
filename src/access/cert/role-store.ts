import { type Database, sql } from '../../storage/index.ts';
import { type RoleSettings, storedSettings } from './role-fields.ts';

interface Key {
  readonly [name: string]: string;
  readonly mount_id: string;
  readonly name: string;
}

export interface StoredRole {
  readonly name: string;
  /** Grows with every write in the mount: equal versions are equal roles. */
  readonly version: number;
  readonly settings: RoleSettings;
}

interface Row {
  name: string;
  version: number;
  settings: string;
}

const nextVersion = sql<{ id: string }, { roles_version: number }>(
  'UPDATE mount SET roles_version = roles_version + 1 WHERE id = :id RETURNING roles_version',
);
const currentVersion = sql<{ id: string }, { roles_version: number }>('SELECT roles_version FROM mount WHERE id = :id');
const byName = sql<Key, Row>('SELECT name, version, settings FROM role WHERE mount_id = :mount_id AND name = :name');
const all = sql<{ mount_id: string }, Row>(
  'SELECT name, version, settings FROM role WHERE mount_id = :mount_id ORDER BY name',
);
const names = sql<{ mount_id: string }, { name: string }>(
  'SELECT name FROM role WHERE mount_id = :mount_id ORDER BY name',
);
const put = sql<{ mount_id: string; name: string; version: number; settings: string }>(
  `INSERT INTO role (mount_id, name, version, settings) VALUES (:mount_id, :name, :version, :settings)
   ON CONFLICT (mount_id, name) DO UPDATE SET version = excluded.version, settings = excluded.settings`,
);
const remove = sql<Key>('DELETE FROM role WHERE mount_id = :mount_id AND name = :name');

/** The roles of one mount. */
export class RoleStore {
  readonly #database: Database;
  readonly #mountId: string;

  constructor(database: Database, mountId: string) {
    this.#database = database;
    this.#mountId = mountId;
  }

  async find(name: string): Promise<StoredRole | undefined> {
    const row = await this.#database.one(byName, { mount_id: this.#mountId, name });
    return row && toRole(row);
  }

  async all(): Promise<StoredRole[]> {
    return (await this.#database.all(all, { mount_id: this.#mountId })).map(toRole);
  }

  async names(): Promise<string[]> {
    return (await this.#database.all(names, { mount_id: this.#mountId })).map((row) => row.name);
  }

  /** Changes with every write to any role of the mount, on whichever node it was made. */
  async version(): Promise<number> {
    const row = await this.#database.one(currentVersion, { id: this.#mountId });
    if (!row) throw new Error('the mount is gone');
    return row.roles_version;
  }

  /** Reads, changes and writes one role as a unit; `change` throws to leave it as it is. */
  update(name: string, change: (stored: RoleSettings | undefined) => RoleSettings): Promise<RoleSettings> {
    return this.#database.transaction(async (tx) => {
      // The mount's row first: it is locked from here on, so two writers of one role cannot both read the old one.
      const version = await this.#bump(tx);
      const row = await tx.one(byName, { mount_id: this.#mountId, name });
      const settings = change(row && toRole(row).settings);
      await tx.run(put, { mount_id: this.#mountId, name, version, settings: JSON.stringify(settings) });
      return settings;
    });
  }

  remove(name: string): Promise<void> {
    return this.#database.transaction(async (tx) => {
      if ((await tx.run(remove, { mount_id: this.#mountId, name })) > 0) await this.#bump(tx);
    });
  }

  async #bump(tx: Pick<Database, 'one'>): Promise<number> {
    const row = await tx.one(nextVersion, { id: this.#mountId });
    if (!row) throw new Error('the mount is gone');
    return row.roles_version;
  }
}

function toRole(row: Row): StoredRole {
  return { name: row.name, version: row.version, settings: storedSettings(row.settings) };
}
