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
/** `:first` and `:end` are the bounds of all paths below one: of `a`, from `a/` up to `a0`. */
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

/** No request has a path that begins with a slash. */
const REMOVED = '/removed/';

export type NewMount = Pick<Mount, 'id' | 'path' | 'type' | 'accessor' | 'description' | 'tuning'> &
  Partial<Pick<Mount, 'flags'>>;

/** Where a mount came from, and went. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** The mounts of the installation. */
export class MountStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** By path. */
  async all(): Promise<Mount[]> {
    return (await this.#database.all(all, {})).map(toMount);
  }

  /** Undefined once it was disabled. */
  async find(id: string): Promise<Mount | undefined> {
    const row = await this.#database.one(byId, { id });
    return row && toMount(row);
  }

  /** A mount that is known as it is now; undefined once it was disabled. What its version says to be the same is not read again. */
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

  /** How often a mount was enabled, tuned, moved or disabled. */
  async changes(): Promise<number> {
    return (await this.#database.one(counter, {}))?.version ?? 0;
  }

  /** The mount that an installation begins with; nothing is done once an administrator has changed any. */
  insertFirst(mount: NewMount): Promise<void> {
    return this.#database.transaction(async (tx) => {
      if ((await tx.one(counter, {}))?.version !== 0) return;
      const inserted = await tx.run(insert, rowOf(mount));
      if (inserted > 0) await noteChange(tx);
    });
  }

  /**
   * Enables a mount unless its path is taken, lies inside another mount or around one: then it is that path which is returned.
   */
  insert(mount: NewMount): Promise<string | undefined> {
    return this.#changing(async (tx) => {
      const conflict = await pathInTheWay(tx, mount.path);
      if (conflict !== undefined) return conflict;
      await tx.run(insert, rowOf(mount));
      return undefined;
    });
  }

  /** Undefined when there is none at this path; `change` throws to leave it as it is. */
  tune(path: string, change: (mount: Mount) => Pick<Mount, 'description' | 'tuning'>): Promise<Mount | undefined> {
    return this.#changing(async (tx) => {
      const row = await tx.one(byPath, { path });
      if (!row) return undefined;
      const { description, tuning } = change(toMount(row));
      await tx.run(tune, { id: row.id, description, tuning: JSON.stringify(tuning) });
      return { ...toMount(row), description, tuning };
    });
  }

  /** The mount as it is then; `missing` when there is none, else the path that is in the way. */
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

  /** The last move of a mount. */
  async lastMove(id: string): Promise<Move | undefined> {
    const row = await this.#database.one(movedFrom, { id });
    return row?.moved_from ? { from: row.moved_from, to: row.path } : undefined;
  }

  /** Takes a mount away, however much is in it: what it leaves behind is removed later. The id; undefined when there is none. */
  disable(path: string, now: number): Promise<string | undefined> {
    return this.#changing(async (tx) => (await tx.one(disable, { path, removed_path: REMOVED, now }))?.id);
  }

  /** The counter goes first: from there on changes come one after the other, and none can miss what another has done. */
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
  // '0' follows '/' in every order by bytes.
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
