import { type Database, sql, step } from '../../../storage/index.ts';
import { BatchQueue, mountState, nextMountState, nextMountStep, nextOf, setMountConfig } from '../../mounts/index.ts';
import { type CertConfig, storedConfig } from '../settings/cert-config.ts';
import { type RoleSettings, storedSettings } from '../settings/role-settings.ts';

/** A role as it was at one moment: equal names and versions are equal roles. */
export interface RoleVersion {
  readonly name: string;
  /** That of the mount when the role was written. */
  readonly version: number;
}

export interface StoredRole extends RoleVersion {
  readonly settings: RoleSettings;
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
type Change = (stored: RoleSettings | undefined) => RoleSettings;
type Updated = { readonly settings: RoleSettings; readonly config: CertConfig };

/** The roles of one mount, and the configuration that holds for all of them. */
export class RoleStore {
  readonly #database: Database;
  readonly #mountId: string;
  /** Every write of a role changes the row of the mount. */
  readonly #writes: BatchQueue;

  constructor(database: Database, mountId: string) {
    this.#database = database;
    this.#writes = new BatchQueue(database);
    this.#mountId = mountId;
  }

  async find(name: string): Promise<StoredRole | undefined> {
    const row = await this.#database.one(byName, { mount_id: this.#mountId, name });
    return row && toRole(row);
  }

  async names(after: string, most: number): Promise<string[]> {
    const rows = await this.#database.all(names, { mount_id: this.#mountId, after, most });
    return rows.map(({ name }) => name);
  }

  /** The same with their settings. */
  async page(after: string, most: number): Promise<StoredRole[]> {
    const rows = await this.#database.all(page, { mount_id: this.#mountId, after, most });
    return rows.map(({ settings, ...version }) => ({ ...version, settings: storedSettings(settings) }));
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
  async *writtenSince(version: number): AsyncGenerator<StoredRole> {
    for (let after = version; ; ) {
      const rows = await this.#database.all(since, { mount_id: this.#mountId, version: after, most: PAGE });
      for (const row of rows) yield toRole(row);
      const last = rows.at(-1);
      if (rows.length < PAGE || !last) return;
      after = last.version;
    }
  }

  /** The mount's version changes with every write to a role or to the configuration, on whichever node it was made. */
  async state(): Promise<{ version: number; config: CertConfig }> {
    const { version, config } = await mountState(this.#database, this.#mountId);
    return { version, config: storedConfig(config) };
  }

  /**
   * Reads, changes and writes one role as if at once; `change` throws to leave it as it is.
   * @returns the role, and the configuration of the mount at that moment
   */
  async update(name: string, change: Change): Promise<Updated> {
    return (await this.#updateUnchanged(name, change)) ?? this.#updateLocked(name, change);
  }

  /** One read and one batch. Undefined, and nothing is stored, where somebody else has written the role in between. */
  async #updateUnchanged(name: string, change: Change): Promise<Updated | undefined> {
    const stored = await this.find(name);
    const settings = change(stored?.settings);
    const put = { mount_id: this.#mountId, name, known: stored?.version ?? NEVER, settings: JSON.stringify(settings) };
    const [state, written] = await this.#writes.batch([nextMountStep(this.#mountId), step(putUnchanged, put)]);
    const { config } = nextOf(state);
    return written.length === 0 ? undefined : { settings, config: storedConfig(config) };
  }

  #updateLocked(name: string, change: Change): Promise<Updated> {
    return this.#database.transaction(async (tx) => {
      const { version, config } = await nextMountState(tx, this.#mountId);
      const row = await tx.one(byName, { mount_id: this.#mountId, name });
      const settings = change(row && toRole(row).settings);
      await tx.run(put, { mount_id: this.#mountId, name, version, settings: JSON.stringify(settings) });
      return { settings, config: storedConfig(config) };
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

  updateConfig(change: (stored: CertConfig) => CertConfig): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const { config } = await nextMountState(tx, this.#mountId);
      await setMountConfig(tx, this.#mountId, JSON.stringify(change(storedConfig(config))));
    });
  }
}

function toRole({ name, version, settings }: Row): StoredRole {
  return { name, version, settings: storedSettings(settings) };
}
