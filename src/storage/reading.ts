import { AsyncLocalStorage } from 'node:async_hooks';

/** Where something can change: a column of a table, its rows, or all that belongs to one of its rows. Set to when it last did. */
export interface Place {
  changedAt: number;
}

/** One database, as its readers see it. */
export interface Source {
  /** When something last became visible to them. */
  now(): number;
  /** Who knows what changes there. */
  readonly history: { readonly everything: Place; row(id: string): Place };
}

const NO_ROWS: ReadonlySet<string> = new Set();

const current = new AsyncLocalStorage<Reading>();

/** What a read depended on: every place that its statements looked at, and the reads that it was made of. */
export class Reading {
  readonly #source: Source;
  readonly #began: number;
  readonly #places = new Set<Place>();
  readonly #parts = new Set<Reading>();
  /** Whose rows the read is about; the statements themselves tell whether they look at no others. */
  readonly rows: ReadonlySet<string>;
  #heldAt: number;
  #isElsewhere = false;

  /** @param rows about which it is: of several, what comes of one is to have a reading of its own, with this as a part */
  constructor(source: Source, rows = NO_ROWS) {
    this.#source = source;
    this.#began = source.now();
    this.#heldAt = this.#began;
    this.rows = rows;
    this.#places.add(source.history.everything);
    if (rows.size === 1) for (const id of rows) this.#places.add(source.history.row(id));
  }

  /** The one that is under way, for the statements that it runs. */
  static get current(): Reading | undefined {
    return current.getStore();
  }

  /** Whether it would read the same again. */
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

  /** @param history of the database that was read: what changes in another one is not known here */
  depend(history: object, places: Iterable<Place>): void {
    if (history !== this.#source.history) this.#isElsewhere = true;
    for (const place of places) this.#places.add(place);
  }

  /** What was kept, and is made part of this. */
  include(part: Reading): void {
    this.#parts.add(part);
  }
}
