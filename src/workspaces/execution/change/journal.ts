import { type Queries, sql } from '../../../storage/index.ts';

export type ChangeKind = 'run' | 'workspace' | 'lock';

/** Something has happened to a run, a workspace or the lock of one. */
export interface Change {
  readonly kind: ChangeKind;
  /** Of the run; of the others, the workspace itself. */
  readonly subjectId: string;
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly organizationName: string;
}

interface Row extends Change {
  readonly tick: number;
  readonly number: number;
  /** What `after` is to be given for what comes behind. */
  readonly clock: number;
}

/** @limit rows of the journal of changes that are read at a time, rows -> the rest is read next */
const MAX_PAGE = 500;
/** @limit changes between two looks, changes -> whoever follows them is told to ask for everything again */
const MAX_BEHIND = 5_000;
/** How long a change is kept, milliseconds. */
export const KEPT_MS = 600_000;
/** @limit changes that one step of a sweep forgets, rows -> the next step goes on */
const MAX_FORGOTTEN = 5_000;

const COLUMNS = `c.kind, c.subject_id AS "subjectId", c.workspace_id AS "workspaceId", c.organization_id AS "organizationId",
  o.name AS "organizationName", c.number`;
const FROM = 'change c JOIN organization o ON o.id = c.organization_id';
// See workspace/list/index-store.ts: whatever is not over in this snapshot has at least the number of the oldest of those.
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
// SQLite would begin again at 1 if there were none left.
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

/** Behind every row of a number. */
const LAST = Number.MAX_SAFE_INTEGER;

/** Where the journal ends now: what is committed from now on is behind it. */
export async function readClock(db: Queries): Promise<number> {
  return (await db.one(selectClock[db.dialect], {}))?.clock ?? 0;
}

/** Whether anything is behind a place in the journal. */
export async function isBehind(db: Queries, clock: number): Promise<boolean> {
  return (await db.all(selectBehind[db.dialect], { tick: clock, number: LAST, limit: 1 })).length > 0;
}

/** Removes some that are too old. The number of rows. */
export function removeOldChanges(db: Queries): Promise<number> {
  return db.run(forgetOld[db.dialect], { age: KEPT_MS, limit: MAX_FORGOTTEN });
}

/** Reads on in the journal. */
export class Reader {
  readonly #db: Queries;
  #clock: number;
  /** What was told of that a next look may find again, by number: others were under way when it was read. */
  #told = new Map<number, number>();

  constructor(db: Queries, clock: number) {
    this.#db = db;
    this.#clock = clock;
  }

  get clock(): number {
    return this.#clock;
  }

  /** All that has been committed since the last call, each once; undefined where that is too much. */
  async next(): Promise<readonly Change[] | undefined> {
    const found: Row[] = [];
    const query = selectBehind[this.#db.dialect];
    let clock = this.#clock;
    for (let last = { tick: this.#clock, number: LAST }; ; ) {
      const page = await this.#db.all(query, { ...last, limit: MAX_PAGE });
      // Of a later page the clock would be too late for what was not over at the first.
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
