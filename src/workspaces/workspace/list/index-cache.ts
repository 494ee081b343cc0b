import { LRUCache } from 'lru-cache';
import { nextTurn } from '../../../lib/slices.ts';
import type { Database, Queries, Reading } from '../../../storage/index.ts';
import { type Fragment, fragment } from '../../query/dynamic.ts';
import { Bits } from './bits.ts';
import * as store from './index-store.ts';
import { type Listed, WorkspaceIndex } from './workspace-index.ts';

/**
 * Capacity in workspaces of all indexes together. A thousand take 256 KB.
 * @limit workspaces in all list indexes in memory, workspaces -> the least recently used index is evicted and read
 * again on demand
 */
const MAX_KEPT = 1_000_000;
/** @limit workspaces of an organization whose lists come from memory, workspaces -> lists are read from the database */
const MAX_READ = 500_000;
/** Estimated time to read one workspace, in milliseconds. */
const COST = 0.004;
/** Rows to read at a time on the main thread. SQLite takes a few milliseconds for them. */
const STEP = 250;
/**
 * Capacity of one index in sets of links.
 * @limit sets of links in a list index, sets -> the least recently used set is evicted and read again on demand
 */
const MAX_LINKS = 500;

/** A cached set of links, valid for one version of its owner. */
interface CachedLinks {
  readonly version: number;
  readonly bits: Promise<Bits>;
}

/** Links to workspaces: a table in which each workspace occurs once where the condition holds. */
export interface Links {
  readonly table: string;
  readonly where: Fragment;
}

/** The index of one organization with incremental refresh: it only queries changes since the last one. */
export class CachedIndex {
  readonly organizationId: string;
  readonly index = new WorkspaceIndex();
  readonly #links = new LRUCache<string, CachedLinks>({ max: MAX_LINKS });
  #clock: number;
  #sizeWhenRead = 0;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  /** Snapshot of the last refresh. While it holds, nothing has changed and no query is needed. */
  #reading: Reading | undefined;

  private constructor(organizationId: string, clock: number) {
    this.organizationId = organizationId;
    this.#clock = clock;
  }

  /** Reads the whole index in steps. The next refresh gets all changes since the start. */
  static async read(db: Queries, organizationId: string): Promise<CachedIndex> {
    const cached = new CachedIndex(organizationId, await store.readClock(db));
    for (let after = ''; ; ) {
      await nextTurn();
      const rows = await store.readRowsAfter(db, organizationId, after, STEP);
      await cached.index.apply(rows);
      const last = rows.at(-1);
      cached.#sizeWhenRead = cached.index.size;
      if (last === undefined || rows.length < STEP) return cached;
      after = last.name;
    }
  }

  /** True if the index should be read again: deleted workspaces keep their numbers, and many of them waste memory. */
  get isOutgrown(): boolean {
    return this.index.size > 2 * this.#sizeWhenRead + STEP;
  }

  /**
   * Applies everything that was committed before the call. Refreshes run one at a time, so that an older result cannot
   * overwrite a newer one. Callers that arrive during a refresh share the next one.
   */
  refresh(db: Database): Promise<void> {
    if (this.#next === undefined && this.#reading?.holds()) return this.#last;
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      return this.#refresh(db);
    });
    const next = this.#next;
    this.#last = next.catch(() => {});
    return next;
  }

  /**
   * Returns the linked workspaces, cached by version; concurrent callers of one version share one read. Read the
   * version before refreshing the index. Otherwise a link may refer to a workspace that the index does not contain
   * yet, and stay missing for this version.
   */
  links(db: Queries, key: string, version: number, links: Links): Promise<Bits> {
    const known = this.#links.get(key);
    if (known?.version === version) return known.bits;
    const read = { version, bits: this.#read(db, links) };
    this.#links.set(key, read);
    read.bits.catch(() => {
      if (this.#links.peek(key) === read) this.#links.delete(key);
    });
    return read.bits;
  }

  /**
   * Returns the locked workspaces. They are read each time: they are few, and a lock changes nothing else in the
   * index.
   */
  locked(db: Queries): Promise<Bits> {
    return this.#read(db, { table: 'lock_event', where: fragment`unlocked_at is null` });
  }

  /** Reads a few links directly. Where there are many, queries in steps which workspaces of the index are linked. */
  async #read(db: Queries, { table, where }: Links): Promise<Bits> {
    const { index } = this;
    const bits = new Bits(index.size);
    const add = (ids: readonly string[]) => {
      for (const number of ids.map((id) => index.numberOf(id))) if (number !== undefined) bits.add(number);
    };
    await nextTurn();
    const few = await store.linkedWorkspaces(db, table, where, STEP + 1);
    if (few.length <= STEP) {
      add(few);
      return bits;
    }
    for (let first = 0; first < index.size; first += STEP) {
      await nextTurn();
      add(await store.linkedWorkspacesAmong(db, table, where, index.idsFrom(first, STEP)));
    }
    return bits;
  }

  async #refresh(db: Database): Promise<void> {
    const reading = db.reading();
    const rows: Listed[] = [];
    const read = () =>
      store.changedSince(db, this.organizationId, this.#clock, (page) => {
        for (const row of page) rows.push(row);
      });
    const clock = await (reading?.during(read) ?? read());
    await this.index.apply(rows);
    this.#clock = clock;
    this.#reading = reading;
  }
}

/** Cache of the indexes of organizations whose lists were requested. */
export class WorkspaceIndexCache {
  readonly #read = new LRUCache<string, CachedIndex>({ maxSize: MAX_KEPT });
  readonly #reading = new Map<string, Promise<CachedIndex>>();
  /** Milliseconds that the database has spent on lists of an organization without an index. */
  readonly #spent = new LRUCache<string, number>({ max: 1000 });

  /**
   * Returns the index, reading it if that pays. Undefined while the database has spent less time on lists than reading
   * the index would take. A query that would scan all workspaces pays at once.
   */
  async indexOf(
    db: Queries,
    organizationId: string,
    goesThroughAll: () => Promise<boolean>,
  ): Promise<CachedIndex | undefined> {
    const known = this.#read.get(organizationId);
    if (known !== undefined && !known.isOutgrown) return known;
    const spent = this.#spent.get(organizationId) ?? 0;
    const isWanted = known !== undefined || (await goesThroughAll());
    if (spent === 0 && !isWanted) return undefined;
    const count = (await store.versionsOf(db, organizationId))?.workspaces ?? 0;
    const pays = isWanted || spent >= count * COST;
    return pays && count <= MAX_READ ? this.#readOnce(db, organizationId) : undefined;
  }

  addTimeSpent(organizationId: string, milliseconds: number): void {
    this.#spent.set(organizationId, (this.#spent.get(organizationId) ?? 0) + milliseconds);
  }

  #readOnce(db: Queries, organizationId: string): Promise<CachedIndex> {
    const reading = this.#reading.get(organizationId) ?? this.#readNew(db, organizationId);
    this.#reading.set(organizationId, reading);
    return reading;
  }

  async #readNew(db: Queries, organizationId: string): Promise<CachedIndex> {
    try {
      const cached = await CachedIndex.read(db, organizationId);
      this.#read.set(organizationId, cached, { size: cached.index.size + 1 });
      this.#spent.delete(organizationId);
      return cached;
    } finally {
      this.#reading.delete(organizationId);
    }
  }
}
