import { LRUCache } from 'lru-cache';
import { nextTurn } from '../../../lib/slices.ts';
import type { Database, Queries, Reading } from '../../../storage/index.ts';
import { type Fragment, fragment } from '../../query/dynamic.ts';
import { Bits } from './bits.ts';
import * as store from './index-store.ts';
import { WorkspaceIndex } from './workspace-index.ts';

/**
 * Workspaces in all rosters, and in one: a thousand take a quarter of a megabyte.
 * @limit workspaces in all rosters in memory, workspaces -> the one unused for longest is read again
 */
const MAX_KEPT = 1_000_000;
/** @limit workspaces of an organization whose lists come from memory, workspaces -> the database answers */
const MAX_READ = 500_000;
/** Milliseconds that it takes to read one. */
const COST = 0.004;
/** Rows read at a time, on the thread that serves requests: SQLite takes a few milliseconds for them. */
const STEP = 250;
/**
 * Sets of links in one roster.
 * @limit sets of links of a roster, sets -> the one unused for longest is read again
 */
const MAX_LINKS = 500;

/** Somebody's links, as long as whoever has them is at a version. */
interface CachedLinks {
  readonly version: number;
  readonly bits: Promise<Bits>;
}

/** Links to workspaces: a table that has each workspace once where the condition holds. */
export interface Links {
  readonly table: string;
  readonly where: Fragment;
}

/** The roster of an organization, which asks for nothing but what has changed since. */
export class CachedIndex {
  readonly organizationId: string;
  readonly index = new WorkspaceIndex();
  readonly #links = new LRUCache<string, CachedLinks>({ max: MAX_LINKS });
  #clock: number;
  #sizeWhenRead = 0;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  /** Of what has changed: as long as it would be read the same, nothing has. */
  #reading: Reading | undefined;

  private constructor(organizationId: string, clock: number) {
    this.organizationId = organizationId;
    this.#clock = clock;
  }

  /** Reads all of it, in steps: what changes meanwhile is asked for afterwards. */
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

  /** Whoever was deleted keeps a number: where there are many of those, it is better read anew. */
  get isOutgrown(): boolean {
    return this.index.size > 2 * this.#sizeWhenRead + STEP;
  }

  /**
   * Has everything that was committed before the call. One asks at a time, so that none overwrites what is newer, and
   * whoever comes meanwhile shares the next one.
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
   * Who is linked, read again when `version` is another; who asks at the same version shares the reading. The version has to
   * be read before the roster is refreshed: so no link leads to a workspace that the roster will only get to know later, at
   * the same version.
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

  /** Who is locked just now: those are few, and what locks them changes nothing else of a list. */
  locked(db: Queries): Promise<Bits> {
    return this.#read(db, { table: 'lock_event', where: fragment`unlocked_at is null` });
  }

  /** A few are read as they are. Where there are many, it is asked in steps who of the roster is linked. */
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
    const read = () => store.changedSince(db, this.organizationId, this.#clock);
    const { rows, clock } = await (reading?.during(read) ?? read());
    await this.index.apply(rows);
    this.#clock = clock;
    this.#reading = reading;
  }
}

/** Rosters of the organizations whose lists have been asked for. */
export class WorkspaceIndexCache {
  readonly #read = new LRUCache<string, CachedIndex>({ maxSize: MAX_KEPT });
  readonly #reading = new Map<string, Promise<CachedIndex>>();
  /** Milliseconds that the database has taken for lists of an organization without one. */
  readonly #spent = new LRUCache<string, number>({ max: 1000 });

  /**
   * Undefined where to read one has not paid yet: the database has answered everything in less time than that takes. What
   * the database would have to go through all workspaces for pays at once.
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
