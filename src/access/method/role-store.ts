import { type Database, sql, step } from '../../storage/index.ts';
import { BatchQueue, mountState, nextMountState, nextMountStep, nextOf, setMountConfig } from '../mounts/index.ts';

/** One version of a role. Roles with the same name and version are equal. */
export interface RoleVersion {
  readonly name: string;
  /** Version of the mount at the write of the role. */
  readonly version: number;
}

export interface StoredRole<Settings> extends RoleVersion {
  readonly settings: Settings;
}

/** Parsers of a method's stored JSON. Fields added since then get their initial value. */
export interface RoleFormat<Settings, Config> {
  readonly settings: (json: string) => Settings;
  readonly config: (json: string) => Config;
}

interface Row extends RoleVersion {
  readonly settings: string;
}

/** Roles in one query. Their stored text is much larger than the parsed form. */
const PAGE = 25;
const REMOVALS_PAGE = 1000;
/**
 * Number of mount versions for which removals are recorded. A node with an older state must read all roles again.
 * @limit recorded removals of roles for other nodes, versions of a mount -> a node that is further behind reads all
 * roles again
 */
export const KEPT_REMOVALS = 10_000;

/** Version of a role that does not exist. */
const NEVER = -1;

type Key = { mount_id: string; name: string };

const byName = sql<Key, Row>('SELECT name, version, settings FROM role WHERE mount_id = :mount_id AND name = :name');
const since = sql<{ mount_id: string; version: number; most: number }, Row>(
  `SELECT name, version, settings FROM role WHERE mount_id = :mount_id AND version > :version
   ORDER BY version LIMIT :most`,
);
const names = sql<{ mount_id: string; after: string; most: number }, { name: string }>(
  'SELECT name FROM role WHERE mount_id = :mount_id AND name > :after ORDER BY name LIMIT :most',
);
const page = sql<{ mount_id: string; after: string; most: number }, Row>(
  `SELECT name, version, settings FROM role WHERE mount_id = :mount_id AND name > :after ORDER BY name LIMIT :most`,
);
const put = sql<Key & { version: number; settings: string }>(
  `INSERT INTO role (mount_id, name, version, settings) VALUES (:mount_id, :name, :version, :settings)
   ON CONFLICT (mount_id, name) DO UPDATE SET version = excluded.version, settings = excluded.settings`,
);
// Runs in a batch after `nextMountStep`. Writes nothing if the role's version has changed or the mount is gone.
const putUnchanged = sql<Key & { known: number; settings: string }, { version: number }>(
  `INSERT INTO role (mount_id, name, version, settings)
   SELECT m.id, :name, m.version, :settings FROM mount m WHERE m.id = :mount_id AND m.removed_at IS NULL
     AND COALESCE((SELECT r.version FROM role r WHERE r.mount_id = m.id AND r.name = :name), ${NEVER}) = :known
   ON CONFLICT (mount_id, name) DO UPDATE SET version = excluded.version, settings = excluded.settings
   RETURNING version`,
);
const bury = sql<Key & { version: number }>(
  'INSERT INTO removed_role (mount_id, version, name) VALUES (:mount_id, :version, :name)',
);
const forget = sql<{ mount_id: string; version: number }>(
  'DELETE FROM removed_role WHERE mount_id = :mount_id AND version <= :version',
);
const removedAfter = sql<{ mount_id: string; version: number; most: number }, RoleVersion>(
  `SELECT name, version FROM removed_role WHERE mount_id = :mount_id AND version > :version
   ORDER BY version LIMIT :most`,
);
const remove = sql<Key>('DELETE FROM role WHERE mount_id = :mount_id AND name = :name');

/** Returns the new settings of a role from the stored ones, if any. */
type Change<Settings> = (stored: Settings | undefined) => Settings;
type Updated<Settings, Config> = { readonly settings: Settings; readonly config: Config };

/** Stores the roles of one mount and their common configuration. */
export class RoleStore<Settings, Config> {
  readonly #database: Database;
  readonly #mountId: string;
  readonly #format: RoleFormat<Settings, Config>;
  /** Group commit: every write of a role changes the row of the mount, so concurrent writes are combined. */
  readonly #writes: BatchQueue;

  constructor(database: Database, mountId: string, format: RoleFormat<Settings, Config>) {
    this.#database = database;
    this.#writes = new BatchQueue(database);
    this.#mountId = mountId;
    this.#format = format;
  }

  async find(name: string): Promise<StoredRole<Settings> | undefined> {
    const row = await this.#database.one(byName, { mount_id: this.#mountId, name });
    return row && this.#role(row);
  }

  async names(after: string, most: number): Promise<string[]> {
    const rows = await this.#database.all(names, { mount_id: this.#mountId, after, most });
    return rows.map(({ name }) => name);
  }

  /** Returns a page of roles with their settings. */
  async page(after: string, most: number): Promise<StoredRole<Settings>[]> {
    const rows = await this.#database.all(page, { mount_id: this.#mountId, after, most });
    return rows.map((row) => this.#role(row));
  }

  /** Yields the roles removed after this version of the mount, with the version of the removal. */
  async *removedSince(version: number): AsyncGenerator<RoleVersion> {
    for (let after = version; ; ) {
      const page = { mount_id: this.#mountId, version: after, most: REMOVALS_PAGE };
      const removals = await this.#database.all(removedAfter, page);
      yield* removals;
      const last = removals.at(-1);
      if (removals.length < REMOVALS_PAGE || !last) return;
      after = last.version;
    }
  }

  /** Yields the roles written after this version of the mount, oldest first. */
  async *writtenSince(version: number): AsyncGenerator<StoredRole<Settings>> {
    for (let after = version; ; ) {
      const rows = await this.#database.all(since, { mount_id: this.#mountId, version: after, most: PAGE });
      for (const row of rows) yield this.#role(row);
      const last = rows.at(-1);
      if (rows.length < PAGE || !last) return;
      after = last.version;
    }
  }

  /**
   * Returns version and configuration of the mount. The version changes with every write to a role or the
   * configuration, on any node.
   */
  async state(): Promise<{ version: number; config: Config }> {
    const { version, config } = await mountState(this.#database, this.#mountId);
    return { version, config: this.#format.config(config) };
  }

  /**
   * Updates one role atomically. `change` throws to cancel the update.
   * @returns the role, and the mount's configuration at that time
   */
  async update(name: string, change: Change<Settings>): Promise<Updated<Settings, Config>> {
    return (await this.#updateUnchanged(name, change)) ?? this.#updateLocked(name, change);
  }

  /**
   * Optimistic concurrency: one read and one batch. Returns undefined, and stores nothing, if another request has
   * written the role in between.
   */
  async #updateUnchanged(name: string, change: Change<Settings>): Promise<Updated<Settings, Config> | undefined> {
    const stored = await this.find(name);
    const settings = change(stored?.settings);
    const put = { mount_id: this.#mountId, name, known: stored?.version ?? NEVER, settings: JSON.stringify(settings) };
    const [state, written] = await this.#writes.batch([nextMountStep(this.#mountId), step(putUnchanged, put)]);
    const { config } = nextOf(state);
    return written.length === 0 ? undefined : { settings, config: this.#format.config(config) };
  }

  #updateLocked(name: string, change: Change<Settings>): Promise<Updated<Settings, Config>> {
    return this.#database.transaction(async (tx) => {
      const { version, config } = await nextMountState(tx, this.#mountId);
      const row = await tx.one(byName, { mount_id: this.#mountId, name });
      const settings = change(row && this.#role(row).settings);
      await tx.run(put, { mount_id: this.#mountId, name, version, settings: JSON.stringify(settings) });
      return { settings, config: this.#format.config(config) };
    });
  }

  remove(name: string): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const mount_id = this.#mountId;
      if ((await tx.run(remove, { mount_id, name })) === 0) return;
      const { version } = await nextMountState(tx, mount_id);
      await tx.run(bury, { mount_id, version, name });
      await tx.run(forget, { mount_id, version: version - KEPT_REMOVALS });
    });
  }

  updateConfig(change: (stored: Config) => Config): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const { config } = await nextMountState(tx, this.#mountId);
      await setMountConfig(tx, this.#mountId, JSON.stringify(change(this.#format.config(config))));
    });
  }

  #role({ name, version, settings }: Row): StoredRole<Settings> {
    return { name, version, settings: this.#format.settings(settings) };
  }
}

/** Number of roles that one step reads. Each may contain a bundle of certificates. */
const STEP = 200;

const removeSome = sql<{ mount_id: string; most: number }>(
  `DELETE FROM role WHERE mount_id = :mount_id AND name IN (
     SELECT name FROM role WHERE mount_id = :mount_id ORDER BY name LIMIT :most)`,
);
/** Number of removals in one step: all that can exist. */
const removeRemovals = sql<{ mount_id: string }>('DELETE FROM removed_role WHERE mount_id = :mount_id');

/** Removes some roles of a disabled mount, in one bounded step. Returns false when nothing is left. */
export async function removeRoleBatch(database: Database, mountId: string): Promise<boolean> {
  const roles = await database.run(removeSome, { mount_id: mountId, most: STEP });
  return roles > 0 || (await database.run(removeRemovals, { mount_id: mountId })) > 0;
}
