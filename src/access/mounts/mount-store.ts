import { type Database, type Queries, sql, type Transaction } from '../../storage/index.ts';
import { INITIAL_FLAGS, INITIAL_TUNING, type Mount } from '../model/mount.ts';
import { pathsAbove } from './mount-path.ts';

interface Row {
  id: string;
  path: string;
  type: string;
  accessor: string;
  description: string;
  tuning: string;
  flags: string;
  version: number;
  intermediates: number;
  config: string;
}

const COLUMNS = 'id, path, type, accessor, description, tuning, flags, version, intermediates, config';

const all = sql<Record<string, never>, Row>(`SELECT ${COLUMNS} FROM mount WHERE removed_at IS NULL ORDER BY path`);
const byId = sql<{ id: string }, Row>(`SELECT ${COLUMNS} FROM mount WHERE id = :id AND removed_at IS NULL`);
const byPath = sql<{ path: string }, Row>(`SELECT ${COLUMNS} FROM mount WHERE path = :path AND removed_at IS NULL`);
const byAccessor = sql<{ accessor: string }, Row>(
  `SELECT ${COLUMNS} FROM mount WHERE accessor = :accessor AND removed_at IS NULL`,
);
const state = sql<{ id: string }, Pick<Row, 'version' | 'intermediates'>>(
  'SELECT version, intermediates FROM mount WHERE id = :id AND removed_at IS NULL',
);
/** `:first` and `:end` bound all paths below one: from `a/` to `a0` for `a`. */
const below = sql<{ first: string; end: string }, { path: string }>(
  'SELECT path FROM mount WHERE path > :first AND path < :end ORDER BY path LIMIT 1',
);
const insert = sql<Omit<Row, 'version' | 'intermediates' | 'config'>>(
  `INSERT INTO mount (id, path, type, accessor, description, tuning, flags, version, config)
   VALUES (:id, :path, :type, :accessor, :description, :tuning, :flags, 0, '{}') ON CONFLICT (path) DO NOTHING`,
);
const tune = sql<Pick<Row, 'id' | 'description' | 'tuning'>>(
  'UPDATE mount SET description = :description, tuning = :tuning, version = version + 1 WHERE id = :id',
);
const move = sql<{ id: string; path: string; moved_from: string }>(
  'UPDATE mount SET path = :path, moved_from = :moved_from, version = version + 1 WHERE id = :id',
);
const movedFrom = sql<{ id: string }, { path: string; moved_from: string | null; version: number }>(
  'SELECT path, moved_from, version FROM mount WHERE id = :id AND removed_at IS NULL',
);
const disable = sql<{ path: string; removed_path: string; now: number }, { id: string }>(
  `UPDATE mount SET path = :removed_path || id, removed_at = :now, version = version + 1
   WHERE path = :path AND removed_at IS NULL RETURNING id`,
);
const changed = sql("UPDATE change_counter SET version = version + 1 WHERE topic = 'mounts'");
const counter = sql<Record<string, never>, { version: number }>(
  "SELECT version FROM change_counter WHERE topic = 'mounts'",
);

/** Path prefix of disabled mounts. No request has a path with a leading slash. */
const REMOVED = '/removed/';

export type NewMount = Pick<Mount, 'id' | 'path' | 'type' | 'accessor' | 'description' | 'tuning'> &
  Partial<Pick<Mount, 'flags'>>;

/** The paths of a move. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Stores the mounts of the server. */
export class MountStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns all mounts in order of paths. */
  async all(): Promise<Mount[]> {
    return (await this.#database.all(all, {})).map(toMount);
  }

  /** Returns undefined if the mount is disabled. */
  async find(id: string): Promise<Mount | undefined> {
    const row = await this.#database.one(byId, { id });
    return row && toMount(row);
  }

  /**
   * Returns the current state of a known mount. Undefined if it is disabled. Reads only the versions if they have not
   * changed.
   */
  async latest(known: Mount): Promise<Mount | undefined> {
    const { id } = known;
    const now = await this.#database.one(state, { id });
    if (now?.version !== known.version) return now && this.find(id);
    return now.intermediates === known.intermediates ? known : { ...known, intermediates: now.intermediates };
  }

  async findByPath(path: string): Promise<Mount | undefined> {
    const row = await this.#database.one(byPath, { path });
    return row && toMount(row);
  }

  async findByAccessor(accessor: string): Promise<Mount | undefined> {
    const row = await this.#database.one(byAccessor, { accessor });
    return row && toMount(row);
  }

  /** Returns the number of mounts that were enabled, tuned, moved or disabled. */
  async changes(): Promise<number> {
    return (await this.#database.one(counter, {}))?.version ?? 0;
  }

  /** Inserts the first mount of a new server. Does nothing after any change to the mounts. */
  insertFirst(mount: NewMount): Promise<void> {
    return this.#database.transaction(async (tx) => {
      if ((await tx.one(counter, {}))?.version !== 0) return;
      const inserted = await tx.run(insert, rowOf(mount));
      if (inserted > 0) await noteChange(tx);
    });
  }

  /** Enables a mount. Returns a conflicting path if it is in use, or inside or around another mount. */
  insert(mount: NewMount): Promise<string | undefined> {
    return this.#changing(async (tx) => {
      const conflict = await pathInTheWay(tx, mount.path);
      if (conflict !== undefined) return conflict;
      await tx.run(insert, rowOf(mount));
      return undefined;
    });
  }

  /** Returns undefined if no mount has this path. `change` throws to cancel the update. */
  tune(path: string, change: (mount: Mount) => Pick<Mount, 'description' | 'tuning'>): Promise<Mount | undefined> {
    return this.#changing(async (tx) => {
      const row = await tx.one(byPath, { path });
      if (!row) return undefined;
      const { description, tuning } = change(toMount(row));
      await tx.run(tune, { id: row.id, description, tuning: JSON.stringify(tuning) });
      return { ...toMount(row), description, tuning };
    });
  }

  /** Returns the moved mount, `missing` if there is none, or the conflicting path. */
  move({ from, to }: Move): Promise<Mount | 'missing' | { readonly conflict: string }> {
    return this.#changing(async (tx) => {
      const row = await tx.one(byPath, { path: from });
      if (!row) return 'missing';
      const conflict = await pathInTheWay(tx, to);
      if (conflict !== undefined) return { conflict };
      await tx.run(move, { id: row.id, path: to, moved_from: from });
      return toMount({ ...row, path: to, version: row.version + 1 });
    });
  }

  /** Returns the last move of a mount. */
  async lastMove(id: string): Promise<Move | undefined> {
    const row = await this.#database.one(movedFrom, { id });
    return row?.moved_from ? { from: row.moved_from, to: row.path } : undefined;
  }

  /** Disables a mount at once; its data is removed later. Returns its id, or undefined if there is none. */
  disable(path: string, now: number): Promise<string | undefined> {
    return this.#changing(async (tx) => (await tx.one(disable, { path, removed_path: REMOVED, now }))?.id);
  }

  /** Increments the counter first. This row serializes all changes, so that none misses another one. */
  #changing<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (tx) => {
      await noteChange(tx);
      return work(tx);
    });
  }
}

async function noteChange(queries: Queries): Promise<void> {
  await queries.run(changed, {});
}

async function pathInTheWay(queries: Queries, path: string): Promise<string | undefined> {
  for (const taken of [path, ...pathsAbove(path)]) {
    if (await queries.one(byPath, { path: taken })) return taken;
  }
  // '0' follows '/' in byte order.
  return (await queries.one(below, { first: `${path}/`, end: `${path}0` }))?.path;
}

function rowOf({ tuning, flags = INITIAL_FLAGS, ...mount }: NewMount) {
  return { ...mount, tuning: JSON.stringify(tuning), flags: JSON.stringify(flags) };
}

function toMount({ tuning, flags, ...row }: Row): Mount {
  return {
    ...row,
    tuning: { ...INITIAL_TUNING, ...JSON.parse(tuning) },
    flags: { ...INITIAL_FLAGS, ...JSON.parse(flags) },
  };
}
