import { lruCache } from '../../lib/lru-cache.ts';
import type { Place } from '../reading.ts';

/**
 * Rows that are followed one by one, and changes of one sync that are told apart.
 * @limit rows whose changes are told apart, rows -> what was read of the one unused for longest is read again
 */
const MAX_ROWS = 20_000;

/** The tables that are followed row by row, each with the column that says whose a row is. */
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
 * What has changed, and when readers came to see it. The connections note what they change as they do; it counts from the
 * end of the sync that makes it visible. What others commit is not known, so it changes everything.
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

  /** `table`, for its rows come and go, or `table.column`. */
  place(name: string): Place {
    let place = this.#places.get(name);
    if (place === undefined) {
      place = { changedAt: this.#now };
      this.#places.set(name, place);
    }
    return place;
  }

  /** All rows of the tables followed that belong to it. */
  row(id: string): Place {
    let place = this.#rows.get(id);
    if (place === undefined) {
      place = { changedAt: this.#now };
      this.#rows.set(id, place);
    }
    return place;
  }

  /** A unit of work: until it commits, nothing of it may count. */
  begins(): void {
    this.#unit = new Changes();
  }

  /** Of the unit of work, or of a statement that is one. */
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

  /** Rolled back, unless it was committed. */
  unitEnded(): void {
    this.#unit = undefined;
  }

  syncBegins(): void {
    this.#syncing = this.#committed;
    this.#committed = new Changes();
  }

  /** What was committed before the sync began is seen from now on. */
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

  /** Somebody else has written. */
  changeEverything(): void {
    this.#now++;
    this.everything.changedAt = this.#now;
  }
}
