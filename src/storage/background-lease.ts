import { hostname } from 'node:os';
import type { BackgroundTask, BackgroundWork, Leadership } from '../lib/background/background-work.ts';
import { PeriodicTask } from '../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../lib/background/task-definition.ts';
import { type Database, type Queries, sql } from './database.ts';
import { type Fence, FencedOff, withFence } from './fence.ts';
import type { Migration } from './schema/migration.ts';

/**
 * Duration of the lease without renewal, milliseconds.
 * @limit leader lease of a killed process, ms -> another process takes over the background tasks
 */
const LEASE_MS = 15_000;
/** Interval at which the holder renews the lease and other processes check whether it is free, milliseconds. */
const PROLONG_MS = 5_000;
const LOOK_MS = 1_000;

const LEASE: TaskDefinition = {
  name: 'leader-lease',
  description: 'Renews the leader lease, or takes it when it is free.',
  runsOn: 'every process',
  period: PROLONG_MS,
};

/** Used only on PostgreSQL, where several processes share a database. Times are those of the database. */
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

/**
 * Returns the process that runs the background tasks. While any process uses the database, one of them does; after it
 * ends there may be none for a moment.
 */
export async function backgroundHolder(database: Database): Promise<string | undefined> {
  return (await database.one(current, {}))?.holder;
}

export interface BackgroundLeaseOptions {
  readonly database: Database;
  readonly report: (error: unknown) => void;
  /** Called when a term starts in this process. */
  readonly taken?: (term: number) => void;
}

/** One term of one holder. */
class Term implements Fence {
  readonly number: number;
  /** End of the term by this process's clock; the database ends it no earlier. */
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
 * Leader lease for background tasks of all processes on one database. The number of a term is a fencing token: a write
 * under it is committed only if no later term has started. A process that stops releases the lease; a killed one loses
 * it when it expires.
 */
export class BackgroundLease implements BackgroundWork, Leadership {
  readonly #options: BackgroundLeaseOptions;
  /** Name for people who look into the table. */
  readonly #holder = `${hostname()} ${process.pid}`;
  readonly #looks: PeriodicTask;
  #term: Term | undefined;

  constructor(options: BackgroundLeaseOptions) {
    this.#options = options;
    const { report } = options;
    this.#looks = new PeriodicTask({
      task: LEASE,
      step: () => this.#step(),
      first: LOOK_MS,
      afterFailure: LOOK_MS,
      report,
    });
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#looks.tasks;
  }

  get isLeader(): boolean {
    return this.#term !== undefined && performance.now() < this.#term.until;
  }

  async start(): Promise<void> {
    await this.renewOrTakeOver().catch(this.#options.report);
    this.#looks.start();
  }

  /** Releases the lease, so that another process may take it at once. */
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

  /** Renews the lease, or takes it if it is free. */
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
