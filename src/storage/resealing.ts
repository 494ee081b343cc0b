import type { BackgroundTask, BackgroundWork, Leadership } from '../lib/background/background-work.ts';
import { PeriodicTask, type ReportError } from '../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../lib/background/task-definition.ts';
import type { Database } from './database.ts';
import type { Keyring } from './keyring.ts';
import type { SealedColumn } from './sealed-column.ts';
import { type RowKey, type SealedTable, START, sealedTable } from './sealed-table.ts';

/** Number of rows that one step processes. */
const STEP = 200;
/** Milliseconds: pause between two steps, between two passes, between two checks for a new key, and after a failure. */
const PAUSE = 100;
const REST = 3_600_000;
const LOOK = 2_000;
const RETRY = 60_000;

const RESEALING: TaskDefinition = {
  name: 're-encryption',
  description: 'Encrypts values of older keys again with the active key.',
  runsOn: 'leader',
  period: LOOK,
};

/** The encrypted columns of one database. */
export interface SealedDatabase {
  readonly database: Database;
  readonly columns: readonly SealedColumn[];
}

interface Place {
  readonly database: Database;
  readonly table: SealedTable;
}

/** A column such as `variable.value`, and the number of its values by key version. */
export interface SealedCount {
  readonly column: string;
  readonly version: number;
  readonly values: number;
}

/** Counts the values of each key. Reads whole tables. */
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
 * Re-encrypts all values that an older key has encrypted, in bounded steps in the background. Several nodes may do so
 * at the same time: a value is replaced only if it is still the one that was read (optimistic concurrency). The next
 * pass follows an hour later, for values of a node that had not loaded the new key yet.
 */
export class Resealing implements BackgroundWork {
  readonly #places: readonly Place[];
  readonly #keyring: Keyring;
  #place = 0;
  #after: RowKey = START;
  /** Version of the key of this pass. */
  #version = 0;
  #restUntil = 0;
  #hasFailed = false;
  readonly #steps: PeriodicTask;

  /**
   * @param report called with errors, for example a value whose key is not in the keyring; the next pass tries again
   */
  constructor(databases: readonly SealedDatabase[], keyring: Keyring, report: ReportError) {
    this.#places = placesIn(databases);
    this.#keyring = keyring;
    this.#steps = new PeriodicTask({
      task: RESEALING,
      step: () => this.#tick(),
      first: PAUSE,
      afterFailure: RETRY,
      report,
    });
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#steps.tasks;
  }

  start(leadership?: Leadership): void {
    this.#steps.start(leadership);
  }

  /** Stops and waits for the current step to finish. */
  stop(): Promise<void> {
    return this.#steps.stop();
  }

  /**
   * Runs one step. Returns true if there is more to do at once. Starts over if the key differs from that of the last
   * step.
   */
  async step(): Promise<boolean> {
    const { version } = this.#keyring;
    if (version !== this.#version) {
      this.#version = version;
      this.#restUntil = 0;
      this.#begin();
    }
    const place = this.#places[this.#place];
    // With a single key there is no older one.
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

  /** Reports once for each pass, because thousands of values may have the same error. */
  #fail(error: unknown): void {
    if (!this.#hasFailed) this.#steps.report(error);
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
