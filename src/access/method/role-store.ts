import { type Database, sql, step } from '../../storage/index.ts';
import { BatchQueue, mountState, nextMountState, nextMountStep, nextOf, setMountConfig } from '../mounts/index.ts';

/** A role as it was at one moment: equal names and versions are equal roles. */
export interface RoleVersion {
  readonly name: string;
  /** That of the mount when the role was written. */
  readonly version: number;
}

export interface StoredRole<Settings> extends RoleVersion {
  readonly settings: Settings;
}

/** How a method reads what it has stored as JSON: with what has come since at its initial value. */
export interface RoleFormat<Settings, Config> {
  readonly settings: (json: string) => Settings;
  readonly config: (json: string) => Config;
}

interface Row extends RoleVersion {
  readonly settings: string;
}

/** Roles read at a time: their texts are large beside what is kept of them. */
const PAGE = 25;
const REMOVALS_PAGE = 1000;
/**
 * Removals that are remembered, in versions of the mount: whoever knows the roles from before has to read all again.
 * @limit removals of roles that are remembered for other nodes, versions of a mount -> they read all roles again
 */
export const KEPT_REMOVALS = 10_000;

/** In place of the version of a role that there is not. */
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
// In a batch behind `nextMountStep`: nothing where the role is not at the version any more, or the mount is gone.
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

/** What a write makes of the role, if there is one. */
type Change<Settings> = (stored: Settings | undefined) => Settings;
type Updated<Settings, Config> = { readonly settings: Settings; readonly config: Config };

/** The roles of one mount, and the configuration that holds for all of them. */
export class RoleStore<Settings, Config> {
  readonly #database: Database;
  readonly #mountId: string;
  readonly #format: RoleFormat<Settings, Config>;
  /** Every write of a role changes the row of the mount. */
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

  /** The same with their settings. */
  async page(after: string, most: number): Promise<StoredRole<Settings>[]> {
    const rows = await this.#database.all(page, { mount_id: this.#mountId, after, most });
    return rows.map((row) => this.#role(row));
  }

  /** Those removed after this version of the mount, and what it was then; a page at a time. */
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

  /** Those written after this version of the mount, oldest first, a page at a time. */
  async *writtenSince(version: number): AsyncGenerator<StoredRole<Settings>> {
    for (let after = version; ; ) {
      const rows = await this.#database.all(since, { mount_id: this.#mountId, version: after, most: PAGE });
      for (const row of rows) yield this.#role(row);
      const last = rows.at(-1);
      if (rows.length < PAGE || !last) return;
      after = last.version;
    }
  }

  /** The mount's version changes with every write to a role or to the configuration, on whichever node it was made. */
  async state(): Promise<{ version: number; config: Config }> {
    const { version, config } = await mountState(this.#database, this.#mountId);
    return { version, config: this.#format.config(config) };
  }

  /**
   * Reads, changes and writes one role as if at once; `change` throws to leave it as it is.
   * @returns the role, and the configuration of the mount at that moment
   */
  async update(name: string, change: Change<Settings>): Promise<Updated<Settings, Config>> {
    return (await this.#updateUnchanged(name, change)) ?? this.#updateLocked(name, change);
  }

  /** One read and one batch. Undefined, and nothing is stored, where somebody else has written the role in between. */
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

/** Roles in one step; each may hold a bundle of certificates. */
const STEP = 200;

const removeSome = sql<{ mount_id: string; most: number }>(
  `DELETE FROM role WHERE mount_id = :mount_id AND name IN (
     SELECT name FROM role WHERE mount_id = :mount_id ORDER BY name LIMIT :most)`,
);
/** As many as are kept at most. */
const removeRemovals = sql<{ mount_id: string }>('DELETE FROM removed_role WHERE mount_id = :mount_id');

/** Removes some roles of a mount that was disabled, in one bounded step; false when nothing is left of any. */
export async function removeRoleBatch(database: Database, mountId: string): Promise<boolean> {
  const roles = await database.run(removeSome, { mount_id: mountId, most: STEP });
  return roles > 0 || (await database.run(removeRemovals, { mount_id: mountId })) > 0;
}
