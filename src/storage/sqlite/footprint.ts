import { constants, type DatabaseSync, type StatementSync } from 'node:sqlite';
import type { SqlValue } from '../database.ts';
import type { Place, Reading } from '../reading.ts';
import type { History } from './history.ts';
import { type Pin, pinOf } from './pin.ts';

/** Reads and writes of a statement as SQLite reports them, including triggers and cascading foreign keys. */
export interface Footprint {
  readonly reads: readonly Place[];
  readonly writes: readonly Place[];
  /** Reads of tables that are followed by row; a subset of the reads. */
  readonly byRow: readonly Place[];
  /** Parameter with the ID of the row that is read there; undefined if they may be any. */
  readonly pin: Pin | undefined;
}

/**
 * Records the reads of a statement. For tables followed by row, only the rows of the reading are recorded if the
 * statement reads no others.
 */
export function noteReading(
  reading: Reading,
  footprint: Footprint,
  values: readonly SqlValue[],
  history: History,
): void {
  const { reads, byRow, pin } = footprint;
  const { rows } = reading;
  const isOf = (value: SqlValue | undefined) => typeof value === 'string' && rows.has(value);
  // A statement about several rows is matched by its result, one about a single row by its parameter.
  const isOfRows = pin === 'each' ? values.every(isOf) : pin !== undefined && rows.size === 1 && isOf(values[pin]);
  reading.depend(history, isOfRows ? reads : [...reads, ...byRow]);
}

type Sets = Readonly<Record<'reads' | 'writes' | 'byRow', Set<Place>>>;

/** Prepares statements and determines their footprints (https://sqlite.org/c3ref/set_authorizer.html). */
export class Footprints {
  readonly #database: DatabaseSync;
  readonly #history: History;
  #sets: Sets | undefined;

  constructor(database: DatabaseSync, history: History) {
    this.#database = database;
    this.#history = history;
    database.setAuthorizer((action, table, column) => {
      if (this.#sets !== undefined && table !== null) this.#add(this.#sets, action, table, column ?? '');
      return constants.SQLITE_OK;
    });
  }

  prepare(text: string): { statement: StatementSync; footprint: Footprint } {
    const sets = { reads: new Set<Place>(), writes: new Set<Place>(), byRow: new Set<Place>() };
    this.#sets = sets;
    try {
      const statement = this.#database.prepare(text);
      const [reads, writes, byRow] = [[...sets.reads], [...sets.writes], [...sets.byRow]];
      return { statement, footprint: { reads, writes, byRow, pin: pinOf(text, this.#history.followed) } };
    } finally {
      this.#sets = undefined;
    }
  }

  #add({ reads, writes, byRow }: Sets, action: number, table: string, column: string): void {
    const place = (name: string) => this.#history.place(name);
    if (action === constants.SQLITE_READ) {
      const set = table in this.#history.followed ? byRow : reads;
      set.add(place(table));
      if (column !== '') set.add(place(`${table}.${column}`));
    } else if (action === constants.SQLITE_INSERT || action === constants.SQLITE_DELETE) {
      writes.add(place(table));
    } else if (action === constants.SQLITE_UPDATE) {
      writes.add(place(`${table}.${column}`));
    }
  }
}
