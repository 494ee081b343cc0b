import { type Queries, sql } from '../../../storage/index.ts';

export type ChangeKind = 'run' | 'workspace' | 'lock';

/** A change to a run, a workspace or the lock of a workspace. */
export interface Change {
  readonly kind: ChangeKind;
  /** Id of the run; otherwise of the workspace. */
  readonly subjectId: string;
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly organizationName: string;
}

interface Row extends Change {
  readonly tick: number;
  readonly number: number;
  /** Position to continue after this change. */
  readonly clock: number;
}

/** @limit rows of the change journal in one read, rows -> the next read continues */
const MAX_PAGE = 500;
/** @limit changes between two polls of the change journal, changes -> clients reload everything */
const MAX_BEHIND = 5_000;
/** Retention of the change journal, milliseconds. */
export const KEPT_MS = 600_000;
/** @limit rows of the change journal that one step of a sweep deletes, rows -> the next step continues */
const MAX_FORGOTTEN = 5_000;

const COLUMNS = `c.kind, c.subject_id AS "subjectId", c.workspace_id AS "workspaceId", c.organization_id AS "organizationId",
  o.name AS "organizationName", c.number`;
const FROM = 'change c JOIN organization o ON o.id = c.organization_id';
// See workspace/list/index-store.ts: every transaction that is not committed in this snapshot has at least the number
// of the oldest running one.
const XMIN = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1';
const XMAX = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';
const selectClock = {
  sqlite: sql<Record<never, never>, { clock: number }>('SELECT coalesce(max(number), 0) AS clock FROM change'),
  postgres: sql<Record<never, never>, { clock: number }>(`SELECT ${XMIN} AS clock`),
} as const;
type Behind = { tick: number; number: number; limit: number };
const selectBehind = {
  sqlite: sql<Behind, Row>(
    `SELECT ${COLUMNS}, c.number AS tick, c.number AS clock FROM ${FROM}
     WHERE (c.number, 0) > (:tick, :number) ORDER BY c.number LIMIT :limit`,
  ),
  postgres: sql<Behind, Row>(
    `SELECT ${COLUMNS}, c.tick, ${XMIN} AS clock FROM ${FROM}
     WHERE (c.tick, c.number) > (:tick, :number) AND c.tick < ${XMAX} ORDER BY c.tick, c.number LIMIT :limit`,
  ),
} as const;
// The newest row is kept, because SQLite restarts at 1 in an empty table.
const forgetOld = {
  sqlite: sql<{ age: number; limit: number }>(
    `DELETE FROM change WHERE number IN (SELECT number FROM change ORDER BY number LIMIT :limit)
       AND happened_at < unixepoch('subsec') * 1000 - :age AND number < (SELECT max(number) FROM change)`,
  ),
  postgres: sql<{ age: number; limit: number }>(
    `DELETE FROM change WHERE (tick, number) IN (SELECT tick, number FROM change ORDER BY tick, number LIMIT :limit)
       AND happened_at < extract(epoch FROM clock_timestamp()) * 1000 - :age`,
  ),
} as const;

/** Higher than any row number. */
const LAST = Number.MAX_SAFE_INTEGER;

/** Returns the end position of the journal. Later commits are behind it. */
export async function readClock(db: Queries): Promise<number> {
  return (await db.one(selectClock[db.dialect], {}))?.clock ?? 0;
}

/** Returns whether the journal has changes after a position. */
export async function isBehind(db: Queries, clock: number): Promise<boolean> {
  return (await db.all(selectBehind[db.dialect], { tick: clock, number: LAST, limit: 1 })).length > 0;
}

/** Deletes some expired rows. Returns their number. */
export function removeOldChanges(db: Queries): Promise<number> {
  return db.run(forgetOld[db.dialect], { age: KEPT_MS, limit: MAX_FORGOTTEN });
}

/** Reads the journal from a position on. */
export class Reader {
  readonly #db: Queries;
  #clock: number;
  /**
   * Reported changes that the next read may return again, by number: older transactions were still running at the
   * last read.
   */
  #told = new Map<number, number>();

  constructor(db: Queries, clock: number) {
    this.#db = db;
    this.#clock = clock;
  }

  get clock(): number {
    return this.#clock;
  }

  /** Returns all changes committed since the last call, each once; undefined if there are too many. */
  async next(): Promise<readonly Change[] | undefined> {
    const found: Row[] = [];
    const query = selectBehind[this.#db.dialect];
    let clock = this.#clock;
    for (let last = { tick: this.#clock, number: LAST }; ; ) {
      const page = await this.#db.all(query, { ...last, limit: MAX_PAGE });
      // The clock of the first page is kept. With the clock of a later page, transactions that were running at the
      // first page would be missed.
      if (found.length === 0 || this.#db.dialect === 'sqlite') clock = page.at(-1)?.clock ?? clock;
      found.push(...page);
      const end = page.at(-1);
      if (end === undefined || page.length < MAX_PAGE) break;
      if (found.length >= MAX_BEHIND) return this.#skip();
      last = { tick: end.tick, number: end.number };
    }
    const fresh = found.filter(({ number }) => !this.#told.has(number));
    this.#clock = Math.max(clock, this.#clock);
    this.#told = new Map(found.filter(({ tick }) => tick > this.#clock).map(({ number, tick }) => [number, tick]));
    return fresh;
  }

  async #skip(): Promise<undefined> {
    this.#clock = await readClock(this.#db);
    this.#told.clear();
    return undefined;
  }
}
