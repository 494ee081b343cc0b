import { LRUCache } from 'lru-cache';
import { nextTurn } from '../../../lib/slices.ts';
import type { Database, Reading } from '../../../storage/index.ts';
import { readClock } from '../../workspace/index.ts';
import { changedSince, type Inherited, readInherited, readRowsAfter } from './row-store.ts';
import type { SummaryReader } from './rows.ts';
import { ExplorerTable } from './table.ts';

/**
 * Capacity in workspaces of all tables together. A thousand take about 1 MB.
 * @limit workspaces in memory for the explorer, workspaces -> the least recently used organization is evicted and read
 * again on demand
 */
const MAX_KEPT = 150_000;
/** Rows to read at a time on the main thread. */
const STEP = 100;

/** The table of an organization as of the last refresh. */
export interface CurrentTable {
  readonly table: ExplorerTable;
  readonly inherited: Inherited;
}

/** The table of one organization with incremental refresh: it only queries changes since the last one. */
class CachedTable {
  readonly #organizationId: string;
  readonly table: ExplorerTable;
  #clock = 0;
  #inherited: Inherited | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<CurrentTable> | undefined;
  /** Snapshot of the last refresh. While it holds, nothing has changed and no query is needed. */
  #reading: Reading | undefined;

  constructor(organizationId: string, summaryOf: SummaryReader) {
    this.#organizationId = organizationId;
    this.table = new ExplorerTable(summaryOf);
  }

  /** Reads all workspaces in steps. The next refresh gets all changes since the start. */
  async read(db: Database): Promise<void> {
    this.#clock = await readClock(db);
    for (let after = ''; ; ) {
      await nextTurn();
      const rows = await readRowsAfter(db, this.#organizationId, after, STEP);
      await this.table.apply(rows);
      const last = rows.at(-1);
      if (last === undefined || rows.length < STEP) break;
      after = last.name;
    }
    this.table.noteRead();
  }

  /**
   * Applies everything that was committed before the call. Refreshes run one at a time, so that an older result cannot
   * overwrite a newer one. Callers that arrive during a refresh share the next one.
   */
  refresh(db: Database): Promise<CurrentTable> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      return this.#refresh(db);
    });
    const next = this.#next;
    this.#last = next.catch(() => {});
    return next;
  }

  async #refresh(db: Database): Promise<CurrentTable> {
    if (this.#inherited !== undefined && this.#reading?.holds())
      return { table: this.table, inherited: this.#inherited };
    const reading = db.reading();
    const read = async () => ({
      inherited: await readInherited(db, this.#organizationId),
      changes: await changedSince(db, this.#organizationId, this.#clock),
    });
    const { changes, inherited } = await (reading?.during(read) ?? read());
    await this.table.apply(changes.rows);
    this.#clock = changes.clock;
    this.#inherited = inherited;
    this.#reading = reading;
    return { table: this.table, inherited };
  }
}

/**
 * Tables of the organizations whose explorer was used. Each query first reads the changes since the last one, by the
 * numbers of the workspaces (workspace/list), so it is current on every node.
 */
export class ExplorerTables {
  readonly #database: Database;
  readonly #summaryOf: SummaryReader;
  readonly #kept = new LRUCache<string, CachedTable>({ maxSize: MAX_KEPT });
  readonly #reading = new Map<string, Promise<CachedTable>>();

  constructor(database: Database, summaryOf: SummaryReader) {
    this.#database = database;
    this.#summaryOf = summaryOf;
  }

  async current(organizationId: string): Promise<CurrentTable> {
    const known = this.#kept.get(organizationId);
    const cached = known === undefined || known.table.isOutgrown ? await this.#readOnce(organizationId) : known;
    return cached.refresh(this.#database);
  }

  #readOnce(organizationId: string): Promise<CachedTable> {
    const reading = this.#reading.get(organizationId) ?? this.#read(organizationId);
    this.#reading.set(organizationId, reading);
    return reading;
  }

  async #read(organizationId: string): Promise<CachedTable> {
    try {
      const cached = new CachedTable(organizationId, this.#summaryOf);
      await cached.read(this.#database);
      this.#kept.set(organizationId, cached, { size: cached.table.size + 1 });
      return cached;
    } finally {
      this.#reading.delete(organizationId);
    }
  }
}
