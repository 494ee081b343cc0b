import { hostname } from 'node:os';
import type { BackgroundWork, Leadership } from '../lib/background-work.ts';
import { PeriodicTask } from '../lib/periodic-task.ts';
import { type Database, type Queries, sql } from './database.ts';
import { type Fence, FencedOff, withFence } from './fence.ts';
import type { Migration } from './schema/migration.ts';

/**
 * How long it lasts unless its holder prolongs it, milliseconds.
 * @limit the time for which a killed process keeps the background work from the others, ms -> another one takes it over
 */
const LEASE_MS = 15_000;
/** Milliseconds between two times that its holder prolongs it, and that others look whether it is free. */
const PROLONG_MS = 5_000;
const LOOK_MS = 1_000;

/** On PostgreSQL alone, where several processes work on one database. Times are those of the database. */
export const leaseMigration: Migration = {
  name: '0002-background-lease',
  statements: ({ integer, text, tableOptions }) => [
    `CREATE TABLE background_lease (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      holder ${text} NOT NULL,
      term ${integer} NOT NULL,
      ends_at ${integer} NOT NULL
    ) ${tableOptions}`,
  ],
};

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const find = sql<Record<string, never>, { isOver: number }>(
  `SELECT ends_at <= ${NOW} AS "isOver" FROM background_lease WHERE id = 1`,
);

const takeOver = sql<{ holder: string; length: number }, { term: number }>(
  `INSERT INTO background_lease (id, holder, term, ends_at) VALUES (1, :holder, 1, ${NOW} + :length)
   ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, term = background_lease.term + 1, ends_at = excluded.ends_at
   WHERE background_lease.ends_at <= ${NOW}
   RETURNING term`,
);

const prolong = sql<{ term: number; length: number }>(
  `UPDATE background_lease SET ends_at = ${NOW} + :length WHERE id = 1 AND term = :term`,
);

const release = sql<{ term: number }>('UPDATE background_lease SET ends_at = 0 WHERE id = 1 AND term = :term');

const holds = sql<{ term: number }, { term: number }>(
  'SELECT term FROM background_lease WHERE id = 1 AND term = :term',
);

const current = sql<Record<string, never>, { holder: string }>(
  `SELECT holder FROM background_lease WHERE id = 1 AND ends_at > ${NOW}`,
);

/** A process that does the background work: while any runs on the database, one does. For moments after one ends there may be none. */
export async function backgroundHolder(database: Database): Promise<string | undefined> {
  return (await database.one(current, {}))?.holder;
}

export interface BackgroundLeaseOptions {
  readonly database: Database;
  readonly report: (error: unknown) => void;
  /** Told of a term that begins here. */
  readonly taken?: (term: number) => void;
}

/** One term of one holder. */
class Term implements Fence {
  readonly number: number;
  /** As this process sees the time; the database sees it end no earlier. */
  until: number;

  constructor(number: number, until: number) {
    this.number = number;
    this.until = until;
  }

  async assert(tx: Queries): Promise<void> {
    if (!(await tx.one(holds, { term: this.number }))) throw new FencedOff(`term ${this.number} has ended`);
  }
}

/**
 * Whose turn the background work is, of all processes on one database. Each term has a number; what is written under one is
 * stored only while none has begun after it. Whoever stops releases it, whoever is killed loses it after a while.
 */
export class BackgroundLease implements BackgroundWork, Leadership {
  readonly #options: BackgroundLeaseOptions;
  /** For whoever looks into the table. */
  readonly #holder = `${hostname()} ${process.pid}`;
  readonly #looks: PeriodicTask;
  #term: Term | undefined;

  constructor(options: BackgroundLeaseOptions) {
    this.#options = options;
    const { report } = options;
    this.#looks = new PeriodicTask({ step: () => this.#step(), first: LOOK_MS, afterFailure: LOOK_MS, report });
  }

  get isLeader(): boolean {
    return this.#term !== undefined && performance.now() < this.#term.until;
  }

  async start(): Promise<void> {
    await this.renewOrTakeOver().catch(this.#options.report);
    this.#looks.start();
  }

  /** Another process may have it at once. */
  async stop(): Promise<void> {
    await this.#looks.stop();
    const term = this.#term;
    this.#term = undefined;
    if (term) await this.#options.database.run(release, { term: term.number }).catch(this.#options.report);
  }

  async runIfLeader<T>(step: () => Promise<T>): Promise<T | undefined> {
    const term = this.#term;
    if (term === undefined || !this.isLeader) return undefined;
    try {
      return await withFence(term, step);
    } catch (error) {
      if (!(error instanceof FencedOff)) throw error;
      if (this.#term === term) this.#term = undefined;
      return undefined;
    }
  }

  /** Prolongs it, or takes it when it is free. */
  async renewOrTakeOver(): Promise<void> {
    const { database, taken } = this.#options;
    const until = performance.now() + LEASE_MS;
    if (this.#term) {
      if ((await database.run(prolong, { term: this.#term.number, length: LEASE_MS })) > 0) this.#term.until = until;
      else this.#term = undefined;
      return;
    }
    const found = await database.one(find, {});
    if (found && found.isOver === 0) return;
    const won = await database.one(takeOver, { holder: this.#holder, length: LEASE_MS });
    if (won === undefined) return;
    this.#term = new Term(won.term, until);
    taken?.(won.term);
  }

  async #step(): Promise<number> {
    await this.renewOrTakeOver();
    return this.#term ? PROLONG_MS : LOOK_MS;
  }
}
