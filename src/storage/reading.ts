import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Something that can change: a column of a table, the set of its rows, or the data of one row. Its value is the time of
 * its last change.
 */
export interface Place {
  changedAt: number;
}

/** A database from the view of its readers. */
export interface Source {
  /** Time at which the last change became visible to readers. */
  now(): number;
  /** Changes of the database. */
  readonly history: { readonly everything: Place; row(id: string): Place };
}

const NO_ROWS: ReadonlySet<string> = new Set();

const current = new AsyncLocalStorage<Reading>();

/** The dependencies of a read: every place that its statements read, and the cached reads that it used. */
export class Reading {
  readonly #source: Source;
  readonly #began: number;
  readonly #places = new Set<Place>();
  readonly #parts = new Set<Reading>();
  /** Rows that the read is about. The statements themselves show whether they read other rows. */
  readonly rows: ReadonlySet<string>;
  #heldAt: number;
  #isElsewhere = false;

  /**
   * @param rows rows that the read is about; if there are several, the result for each row gets a reading of its own
   * that includes this one
   */
  constructor(source: Source, rows = NO_ROWS) {
    this.#source = source;
    this.#began = source.now();
    this.#heldAt = this.#began;
    this.rows = rows;
    this.#places.add(source.history.everything);
    if (rows.size === 1) for (const id of rows) this.#places.add(source.history.row(id));
  }

  /** The read in progress, which collects the dependencies of its statements. */
  static get current(): Reading | undefined {
    return current.getStore();
  }

  /** Returns whether the read would return the same result again. */
  holds(): boolean {
    const now = this.#source.now();
    if (this.#isElsewhere) return false;
    if (now === this.#heldAt) return true;
    for (const place of this.#places) if (place.changedAt > this.#began) return false;
    for (const part of this.#parts) if (!part.holds()) return false;
    this.#heldAt = now;
    return true;
  }

  during<T>(read: () => Promise<T>): Promise<T> {
    return current.run(this, read);
  }

  /** @param history changes of the database that was read; a reading cannot depend on another database */
  depend(history: object, places: Iterable<Place>): void {
    if (history !== this.#source.history) this.#isElsewhere = true;
    for (const place of places) this.#places.add(place);
  }

  /** Includes the dependencies of a cached read. */
  include(part: Reading): void {
    this.#parts.add(part);
  }
}
