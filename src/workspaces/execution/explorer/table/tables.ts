import type { Clock } from '../../../../lib/clock.ts';
import type { AppError } from '../../../../lib/errors.ts';
import { lruCache } from '../../../../lib/lru-cache.ts';
import { SharedWork } from '../../../../lib/shared-work.ts';
import { nextTurn } from '../../../../lib/slices.ts';
import type { Database, Reading } from '../../../../storage/index.ts';
import { unprocessable } from '../../../jsonapi/errors.ts';
import { readClock } from '../../../workspace/index.ts';
import { type InMemory, MAX_MEMORY, MAX_TABLE, toEvict } from './memory.ts';
import { changedSince, type Inherited, PAGE, readInherited, readRowsAfter } from './row-store.ts';
import type { SummaryReader } from './rows.ts';
import { ExplorerTable } from './table.ts';

/** @limit organizations that a process reads into the memory of the explorer at the same time, organizations -> the others wait */
const MAX_READS = 2;
/** Time in milliseconds after which a table that did not fit is read again: it may fit by then. */
const LEAN_TIME = 600_000;
/** @limit organizations that the explorer knows not to fit into its memory, organizations -> the first one is read again */
const MAX_KNOWN = 1000;

/** Bounds of the memory, bytes. */
export interface MemoryBounds {
  /** All organizations. */
  readonly total: number;
  /** One organization. */
  readonly table: number;
}

/** The table of an organization as of the last refresh. */
export interface CurrentTable {
  readonly table: ExplorerTable;
  readonly inherited: Inherited;
  /** Whether the table lacks what workspaces use, because that takes too much memory. */
  readonly isLean: boolean;
}

/** The content of a table takes too much memory. */
class TooLarge extends Error {}

/** The table of one organization with incremental refresh: it only queries changes since the last one. */
class CachedTable implements InMemory {
  readonly organizationId: string;
  readonly table: ExplorerTable;
  readonly isLean: boolean;
  readonly readAt: number;
  usedAt: number;
  readonly #limit: number;
  #clock = 0;
  #inherited: Inherited | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<CurrentTable> | undefined;
  /** Snapshot of the last refresh. While it holds, nothing has changed and no query is needed. */
  #reading: Reading | undefined;

  constructor(organizationId: string, summaryOf: SummaryReader, isLean: boolean, limit: number, now: number) {
    this.organizationId = organizationId;
    this.isLean = isLean;
    this.readAt = now;
    this.usedAt = now;
    this.#limit = limit;
    this.table = new ExplorerTable(summaryOf, isLean);
  }

  get bytes(): number {
    return this.table.bytes;
  }

  /** Reads all workspaces in steps. The next refresh gets all changes since the start. @throws TooLarge */
  async read(db: Database): Promise<void> {
    this.#clock = await readClock(db);
    const step = PAGE[db.dialect];
    for (let after = ''; ; ) {
      await nextTurn();
      const rows = await readRowsAfter(db, this.organizationId, after, step);
      await this.#apply(rows);
      const last = rows.at(-1);
      if (last === undefined || rows.length < step) break;
      after = last.name;
    }
    this.table.noteRead();
  }

  /**
   * Applies everything that was committed before the call. Refreshes run one at a time, so that an older result cannot
   * overwrite a newer one. Callers that arrive during a refresh share the next one.
   * @throws TooLarge
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
    const { isLean, table } = this;
    if (this.#inherited !== undefined && this.#reading?.holds()) return { table, isLean, inherited: this.#inherited };
    const reading = db.reading();
    const read = async () => ({
      inherited: await readInherited(db, this.organizationId),
      clock: await changedSince(db, this.organizationId, this.#clock, (rows) => this.#apply(rows)),
    });
    const { clock, inherited } = await (reading?.during(read) ?? read());
    this.#clock = clock;
    this.#inherited = inherited;
    this.#reading = reading;
    return { table, isLean, inherited };
  }

  async #apply(rows: Parameters<ExplorerTable['apply']>[0]): Promise<void> {
    await this.table.apply(rows);
    if (this.bytes > this.#limit) throw new TooLarge();
  }
}

/**
 * Tables of the organizations whose explorer was used. Each query first reads the changes since the last one, by the
 * numbers of the workspaces (workspace/list), so it is current on every node. Memory is bounded by the content.
 */
export class ExplorerTables {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #summaryOf: SummaryReader;
  readonly #bounds: MemoryBounds;
  readonly #kept = new Map<string, CachedTable>();
  readonly #reading = new SharedWork<CachedTable>();
  readonly #waiting: (() => void)[] = [];
  /** Organizations that did not fit, and when they were read. */
  readonly #tooLarge = lruCache<string, number>(MAX_KNOWN);
  #reads = 0;

  constructor(
    database: Database,
    clock: Clock,
    summaryOf: SummaryReader,
    bounds: MemoryBounds = { total: MAX_MEMORY, table: MAX_TABLE },
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#summaryOf = summaryOf;
    this.#bounds = bounds;
  }

  /**
   * Returns the table of an organization.
   * @throws 422 if it does not fit into the memory of one organization, even without what workspaces use
   */
  async current(organizationId: string): Promise<CurrentTable> {
    const known = this.#kept.get(organizationId);
    const now = this.#clock();
    const isOld = known?.isLean === true && now - known.readAt >= LEAN_TIME;
    const isUsable = known !== undefined && !known.table.isOutgrown && !isOld;
    if (now - (this.#tooLarge.get(organizationId) ?? now - LEAN_TIME) < LEAN_TIME) throw tooLarge();
    // A table in use also has the names that nothing uses any more, so that the same content fits after a new read.
    const attempts: (() => CachedTable | Promise<CachedTable>)[] = [
      ...(isUsable ? [() => known] : []),
      ...(isUsable && known.isLean ? [] : [() => this.#readOnce(organizationId, false)]),
      () => this.#readOnce(organizationId, true),
    ];
    for (const attempt of attempts) {
      try {
        return await this.#refreshed(await attempt());
      } catch (error) {
        if (!(error instanceof TooLarge)) throw error;
      }
    }
    this.#tooLarge.set(organizationId, now);
    throw tooLarge();
  }

  /** Estimated memory of all tables, bytes. */
  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #refreshed(cached: CachedTable): Promise<CurrentTable> {
    try {
      cached.usedAt = this.#clock();
      return await cached.refresh(this.#database);
    } catch (error) {
      const isKept = this.#kept.get(cached.organizationId) === cached;
      if (isKept && error instanceof TooLarge) this.#kept.delete(cached.organizationId);
      throw error;
    } finally {
      for (const { organizationId } of toEvict(this.#kept.values(), this.#clock(), this.#bounds.total))
        this.#kept.delete(organizationId);
    }
  }

  #readOnce(organizationId: string, isLean: boolean): Promise<CachedTable> {
    return this.#reading.once(`${organizationId} ${isLean}`, () =>
      this.#inPlace(() => this.#read(organizationId, isLean)),
    );
  }

  async #read(organizationId: string, isLean: boolean): Promise<CachedTable> {
    // The old table makes room for the new one.
    this.#kept.delete(organizationId);
    const cached = new CachedTable(organizationId, this.#summaryOf, isLean, this.#bounds.table, this.#clock());
    await cached.read(this.#database);
    this.#kept.set(organizationId, cached);
    return cached;
  }

  /** Few tables are read at a time, because each may take as much memory as one organization has. */
  async #inPlace<T>(work: () => Promise<T>): Promise<T> {
    while (this.#reads >= MAX_READS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#reads++;
    try {
      return await work();
    } finally {
      this.#reads--;
      this.#waiting.shift()?.();
    }
  }
}

function tooLarge(): AppError {
  const detail =
    'The workspaces of this organization take more memory than the explorer has for one organization. Use the list of ' +
    'workspaces, or remove tags and try again in ten minutes';
  return unprocessable([{ detail }]);
}
