import { nextTurn } from '../../../lib/slices.ts';
import { type Dialect, type Queries, sql } from '../../../storage/index.ts';
import { NOT_DELETED } from '../model/row.ts';

/** Logical clock: later changes have higher numbers. */
type Clock = { readonly clock: number };
type Since = { organizationId: string; since: number; after: string; limit: number };
type After = { organizationId: string; after: string; limit: number };

// A transaction that was still open in this snapshot numbers its changes at least by the snapshot's xmin. Numbers
// above xmax come from a dump of another cluster.
const XMIN = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1';
const XMAX = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';
const selectClock = {
  sqlite: sql<Record<never, never>, Clock>('SELECT ticks AS clock FROM workspace_clock'),
  postgres: sql<Record<never, never>, Clock>(`SELECT ${XMIN} AS clock`),
} as const;
/** Rows of one page. PostgreSQL sorts all remaining rows for each page, so a page should not be too small. */
const PAGE = { sqlite: 500, postgres: 1500 } as const;
const AFTER = `w.organization_id = :organizationId AND (w.touched, w.id) > (:since, :after)`;
/** Sorts after every id: a query from this position skips everything at the clock's own number. */
const LAST_ID = '~';

/** Rows that a cache keeps of workspaces. */
export interface CachedColumns {
  /** Columns of `workspace w` and of the joined tables. They include `w.id` as id and `w.name` as name. */
  columns(dialect: Dialect): string;
  readonly joins: string;
  /** Most rows of a page. Set it for large rows. */
  readonly most?: Readonly<Record<Dialect, number>>;
}

/** Returns the clock value to pass to `changedSince` for all later changes. */
export async function readClock(db: Queries): Promise<number> {
  return (await db.one(selectClock[db.dialect], {}))?.clock ?? 0;
}

/** Reads rows of workspaces for a cache that follows their changes. Call it once, for its statements. */
export function workspaceChanges<Row extends { readonly id: string; readonly name: string }>(cached: CachedColumns) {
  type Changed = Row & Clock & { readonly touched: number };
  const { joins, most } = cached;
  const IN_ORDER = 'ORDER BY w.touched, w.id';
  const changed = {
    sqlite: sql<Since, Changed>(
      `SELECT ${cached.columns('sqlite')}, w.touched, w.touched AS clock FROM workspace w ${joins}
       WHERE ${AFTER} ${IN_ORDER} LIMIT :limit`,
    ),
    // The rows of a page are chosen before the joins: PostgreSQL would join all remaining ones.
    postgres: sql<Since, Changed>(
      `SELECT ${cached.columns('postgres')}, w.touched, ${XMIN} AS clock FROM (
         SELECT * FROM workspace w WHERE ${AFTER} AND w.touched < ${XMAX} ${IN_ORDER} LIMIT :limit) w ${joins} ${IN_ORDER}`,
    ),
  };
  const some = (dialect: Dialect) =>
    sql<After, Row>(
      `SELECT ${cached.columns(dialect)} FROM workspace w ${joins}
       WHERE w.organization_id = :organizationId AND w.name > :after AND ${NOT_DELETED} ORDER BY w.name LIMIT :limit`,
    );
  const selectSome = { sqlite: some('sqlite'), postgres: some('postgres') };

  return {
    /** Returns workspaces that are not deleted in the order of their names, after a name. */
    readRowsAfter(db: Queries, organizationId: string, after: string, limit: number): Promise<Row[]> {
      return db.all(selectSome[db.dialect], { organizationId, after, limit });
    },

    /**
     * Reads all workspaces that have changed since a clock value, including deleted ones. Some may be read again. A
     * workspace that changes meanwhile moves to a later page.
     * @param apply called with each page, so that only one is in memory
     * @returns the next clock value
     */
    async changedSince(
      db: Queries,
      organizationId: string,
      since: number,
      apply: (rows: readonly Row[]) => Promise<void> | void,
    ): Promise<number> {
      const limit = (most ?? PAGE)[db.dialect];
      const query = changed[db.dialect];
      let page = await db.all(query, { organizationId, since, after: LAST_ID, limit });
      await apply(page);
      // The clock of a later page would be too late for transactions that were open at the first page.
      let clock = Math.max(since, page.at(-1)?.clock ?? since);
      for (let last = page.at(-1); page.length === limit && last !== undefined; last = page.at(-1)) {
        await nextTurn();
        page = await db.all(query, { organizationId, since: last.touched, after: last.id, limit });
        await apply(page);
        if (db.dialect === 'sqlite') clock = page.at(-1)?.clock ?? clock;
      }
      return clock;
    },
  };
}
