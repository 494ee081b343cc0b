import type { Leadership } from '../lib/background-work.ts';
import { PeriodicTask } from '../lib/periodic-task.ts';
import type { Database } from './database.ts';
import type { Keyring } from './keyring.ts';
import type { SealedColumn } from './sealed-column.ts';
import { type RowKey, type SealedTable, START, sealedTable } from './sealed-table.ts';

/** Rows that one step looks at. */
const STEP = 200;
/** Milliseconds: between two steps others have their turn; between two passes; how often the keyring is asked for a new key; after a failure. */
const PAUSE = 100;
const REST = 3_600_000;
const LOOK = 2_000;
const RETRY = 60_000;

/** The columns of one database. */
export interface SealedDatabase {
  readonly database: Database;
  readonly columns: readonly SealedColumn[];
}

interface Place {
  readonly database: Database;
  readonly table: SealedTable;
}

/** `variable.value`, and how many of its values the key of a version has sealed. */
export interface SealedCount {
  readonly column: string;
  readonly version: number;
  readonly values: number;
}

/** How much each key has sealed. Reads all of the tables. */
export async function countSealed(databases: readonly SealedDatabase[]): Promise<SealedCount[]> {
  const counted = await Promise.all(
    placesIn(databases).map(async ({ database, table }) => {
      const { column } = table;
      const counts = [...(await table.counts(database))];
      return counts.map(([version, values]) => ({ column: `${column.table}.${column.column}`, version, values }));
    }),
  );
  return counted.flat();
}

/**
 * Seals anew, with the key that seals now, whatever another has sealed: in bounded steps beside everything else. Several nodes
 * may do it at once: a value is replaced only by whoever has read it as it is. An hour after a pass comes the next one, for what
 * a node has sealed that had not yet seen the new key.
 */
export class Resealing {
  readonly #places: readonly Place[];
  readonly #keyring: Keyring;
  readonly #report: (error: unknown) => void;
  #place = 0;
  #after: RowKey = START;
  /** The key that the pass is for. */
  #version = 0;
  #restUntil = 0;
  #hasFailed = false;
  readonly #steps: PeriodicTask;

  /** @param report told of what fails, as a value does whose key is not in the keyring; it is tried again with the next pass */
  constructor(databases: readonly SealedDatabase[], keyring: Keyring, report: (error: unknown) => void) {
    this.#places = placesIn(databases);
    this.#keyring = keyring;
    this.#report = report;
    this.#steps = new PeriodicTask({ step: () => this.#tick(), first: PAUSE, afterFailure: RETRY, report });
  }

  start(leadership?: Leadership): void {
    this.#steps.start(leadership);
  }

  /** Waits for the step that is being taken. */
  stop(): Promise<void> {
    return this.#steps.stop();
  }

  /** One step; true when there is more to do at once. Another key than at the last step begins anew. */
  async step(): Promise<boolean> {
    const { version } = this.#keyring;
    if (version !== this.#version) {
      this.#version = version;
      this.#restUntil = 0;
      this.#begin();
    }
    const place = this.#places[this.#place];
    // With one key there is none that it could be moved from.
    if (place === undefined || this.#keyring.versions.length < 2) return false;
    const rows = await place.table.page(place.database, this.#after, version, STEP);
    for (const { isOld, ...key } of rows) {
      if (isOld) await this.#reseal(place, key).catch((error: unknown) => this.#fail(error));
    }
    const last = rows.at(-1);
    if (last !== undefined && rows.length === STEP) this.#after = last;
    else this.#next();
    if (this.#place < this.#places.length) return true;
    this.#begin();
    return false;
  }

  /** Once for a pass: it may be the same with thousands of values. */
  #fail(error: unknown): void {
    if (!this.#hasFailed) this.#report(error);
    this.#hasFailed = true;
  }

  async #reseal({ database, table }: Place, key: RowKey): Promise<void> {
    const old = await table.value(database, key);
    if (old === undefined) return;
    const context = table.column.contextOf(key.text, key.number);
    await table.replace(database, key, old, this.#keyring.encrypt(this.#keyring.decrypt(old, context), context));
  }

  #begin(): void {
    this.#hasFailed = false;
    this.#place = 0;
    this.#after = START;
  }

  #next(): void {
    this.#place += 1;
    this.#after = START;
  }

  async #tick(): Promise<number> {
    if (this.#keyring.version === this.#version && performance.now() < this.#restUntil) return LOOK;
    if (await this.step()) return PAUSE;
    this.#restUntil = performance.now() + REST;
    return LOOK;
  }
}

function placesIn(databases: readonly SealedDatabase[]): Place[] {
  return databases.flatMap(({ database, columns }) =>
    columns.map((column) => ({ database, table: sealedTable(column) })),
  );
}
