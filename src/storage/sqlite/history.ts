import { lruCache } from '../../lib/lru-cache.ts';
import type { Place } from '../reading.ts';

/**
 * Maximum number of rows that are tracked one by one, and of distinguished changes in one sync.
 * @limit rows whose changes are tracked one by one, rows -> cached reads of the least recently used row are invalidated
 */
const MAX_ROWS = 20_000;

/** Tables that are tracked by row, each with the column that holds the row's ID. */
export type Followed = Readonly<Record<string, string>>;

class Changes {
  readonly places = new Set<Place>();
  readonly rows = new Set<string>();

  add({ places, rows }: Changes): void {
    for (const place of places) this.places.add(place);
    for (const row of rows) this.rows.add(row);
  }
}

/**
 * Times of changes, by which cached reads are validated. Connections record their changes at once; a change takes
 * effect at the end of the sync that makes it visible. Commits of other processes are unknown, so they count as a
 * change of everything.
 */
export class History {
  readonly everything: Place = { changedAt: 0 };
  readonly #places = new Map<string, Place>();
  readonly #rows = lruCache<string, Place>(MAX_ROWS, (place) => {
    place.changedAt = Number.POSITIVE_INFINITY;
  });
  #now = 1;
  #unit: Changes | undefined;
  #committed = new Changes();
  #syncing = new Changes();
  #followed: Followed = {};

  get now(): number {
    return this.#now;
  }

  get followed(): Followed {
    return this.#followed;
  }

  follow(tables: Followed): void {
    this.#followed = { ...this.#followed, ...tables };
  }

  /** Place of changes by name: `table` for its set of rows, or `table.column`. */
  place(name: string): Place {
    let place = this.#places.get(name);
    if (place === undefined) {
      place = { changedAt: this.#now };
      this.#places.set(name, place);
    }
    return place;
  }

  /** Data of the followed tables that belongs to one row. */
  row(id: string): Place {
    let place = this.#rows.get(id);
    if (place === undefined) {
      place = { changedAt: this.#now };
      this.#rows.set(id, place);
    }
    return place;
  }

  /** Starts a transaction: its changes take effect only after its commit. */
  begins(): void {
    this.#unit = new Changes();
  }

  /** Records changes of the transaction, or of a single statement. */
  note(places: Iterable<Place>): void {
    const { places: noted } = this.#unit ?? this.#committed;
    for (const place of places) noted.add(place);
  }

  noteRow(id: string): void {
    const { places, rows } = this.#unit ?? this.#committed;
    if (rows.size < MAX_ROWS) rows.add(id);
    else places.add(this.everything);
  }

  unitCommitted(): void {
    if (this.#unit !== undefined) this.#committed.add(this.#unit);
    this.#unit = undefined;
  }

  /** Ends a transaction, which is rolled back unless it was committed. */
  unitEnded(): void {
    this.#unit = undefined;
  }

  syncBegins(): void {
    this.#syncing = this.#committed;
    this.#committed = new Changes();
  }

  /** Makes commits from before the start of the sync visible. */
  syncEnds(): void {
    const { places, rows } = this.#syncing;
    if (places.size + rows.size === 0) return;
    this.#now++;
    for (const place of places) place.changedAt = this.#now;
    for (const id of rows) {
      const place = this.#rows.peek(id);
      if (place !== undefined) place.changedAt = this.#now;
    }
  }

  /** Records a commit of another process. */
  changeEverything(): void {
    this.#now++;
    this.everything.changedAt = this.#now;
  }
}
