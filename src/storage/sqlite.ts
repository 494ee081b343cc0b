import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../lib/errors.ts';
import { compareNumbers, parseVersion } from '../lib/semver/index.ts';
import type {
  Database,
  DynamicQuery,
  Params,
  SchemaSession,
  Statement,
  Step,
  StepRows,
  Transaction,
} from './database.ts';
import { databaseUnavailable, StorageError } from './errors.ts';
import { Mutex } from './mutex.ts';
import { Reading, type Source } from './reading.ts';
import { Checkpointer } from './sqlite/checkpointer.ts';
import { SqliteConnection } from './sqlite/connection.ts';
import { isDiskFailure } from './sqlite/errors.ts';
import { prepareFile } from './sqlite/file.ts';
import { GroupCommit, type Outcome, type Write } from './sqlite/group-commit.ts';
import { GroupSync } from './sqlite/group-sync.ts';
import { type Followed, History } from './sqlite/history.ts';
import { DurableReaders } from './sqlite/readers.ts';
import { checkSpace } from './sqlite/space-check.ts';
import { syncFolder } from './sync-folder.ts';
import { refuseInsideUnitOfWork, UnitOfWork } from './unit-of-work.ts';

/** SQLite up to 3.51.2 could corrupt a database with several connections when the log restarts. */
const OLDEST_SQLITE = [3, 51, 3] as const;

export interface SqliteOptions {
  readonly file: string;
  /** Called with errors outside of any request: an after-commit hook, a checkpoint, the disk. */
  readonly report: (error: unknown) => void;
  /** Replaces the sync of the log in tests. */
  readonly sync?: (log: FileHandle) => Promise<void>;
}

/**
 * Opens the embedded database, and creates it if it does not exist. Only one process at a time should write to the
 * file.
 *
 * Group commit: a commit writes to the log without a sync (`synchronous = NORMAL`), so that the thread that serves
 * requests never waits for the disk. It is acknowledged after an asynchronous fdatasync of the log that started after
 * the commit, and that it shares with all others (https://sqlite.org/wal.html,
 * https://sqlite.org/pragma.html#pragma_synchronous). No reader sees it before.
 * @throws StorageError if the file cannot be used
 */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { file } = options;
  await prepareFile(file);
  const history = new History();
  const settings = { readOnly: false, synchronous: 'NORMAL', history } as const;
  const writer = explaining(file, () => new SqliteConnection(file, settings));
  try {
    assertVersion(writer);
    explaining(file, () => startLog(writer, file));
    const log = await open(`${file}-wal`, 'r+');
    // An earlier process may have committed without a sync, and readers see these commits from now on.
    await log.datasync();
    await syncFolder(file);
    return new SqliteDatabase(options, writer, log, history);
  } catch (error) {
    writer.close();
    throw error;
  }
}

function explaining<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    throw new StorageError(`${file} cannot be opened as a database: ${(cause as Error).message}`, { cause });
  }
}

function assertVersion(connection: SqliteConnection): void {
  const { version } = connection.command('SELECT sqlite_version() AS version')() as { version: string };
  const { numbers = [0, 0, 0] as const } = parseVersion(version) ?? {};
  if (compareNumbers(numbers, OLDEST_SQLITE) < 0) {
    throw new StorageError(
      `SQLite ${version} may corrupt its log: update Node.js, because SQLite ${OLDEST_SQLITE.join('.')} or later is needed`,
    );
  }
}

function startLog(connection: SqliteConnection, file: string): void {
  const { journal_mode } = connection.command('PRAGMA journal_mode = WAL')() as { journal_mode: string };
  if (journal_mode !== 'wal') throw new StorageError(`${file} cannot have a write-ahead log here: use a local disk`);
  // The first read of the database creates the log file.
  connection.command('SELECT 1 FROM sqlite_schema LIMIT 1')();
}

class SqliteDatabase implements Database {
  readonly dialect = 'sqlite';
  readonly #report: (error: unknown) => void;
  readonly #writer: SqliteConnection;
  readonly #readers: DurableReaders;
  readonly #log: FileHandle;
  readonly #sync: GroupSync;
  readonly #checkpointer: Checkpointer;
  readonly #turns = new Mutex();
  readonly #schemaTurn = new Mutex();
  readonly #writes = new GroupCommit((writes) => this.#store(writes));
  readonly #file: string;
  readonly #history: History;
  readonly #source: Source;
  #closed = false;
  /** True after a write failed, for example because the disk is full. */
  #isDoubtful = false;
  readonly #touch: () => unknown;
  readonly #begin: () => unknown;
  readonly #commit: () => unknown;
  readonly #rollback: () => unknown;
  readonly #partBegins: () => unknown;
  readonly #partEnds: () => unknown;
  readonly #undoPart: () => unknown;

  constructor(options: SqliteOptions, writer: SqliteConnection, log: FileHandle, history: History) {
    const { file, report, sync = (handle) => handle.datasync() } = options;
    const reader = () => new SqliteConnection(file, { readOnly: true, synchronous: 'NORMAL', history });
    this.#history = history;
    this.#file = file;
    this.#report = report;
    this.#writer = writer;
    this.#log = log;
    this.#readers = new DurableReaders(reader(), reader(), writer, history);
    this.#source = { now: () => this.#readers.now(), history };
    this.#sync = new GroupSync(() => sync(log), this.#readers, report);
    this.#touch = writer.command('PRAGMA user_version = 0');
    this.#begin = chained(writer.command('BEGIN IMMEDIATE'), () => history.begins());
    this.#commit = writer.command('COMMIT');
    this.#rollback = chained(() => history.unitEnded(), writer.command('ROLLBACK'));
    this.#partBegins = writer.command('SAVEPOINT part');
    this.#partEnds = writer.command('RELEASE part');
    this.#undoPart = writer.command('ROLLBACK TO part');
    // A checkpoint that does nothing returns the length of the log.
    const look = writer.command('PRAGMA wal_checkpoint(NOOP)');
    this.#checkpointer = new Checkpointer({
      file,
      pagesInLog: () => (look() as { log: number }).log,
      exclusively: (action) => this.#exclusively(action),
      diskFailed: (cause) => this.#sync.fail(cause),
      report,
    });
  }

  reading(rows: readonly string[] = []): Reading {
    return new Reading(this.#source, new Set(rows));
  }

  follow(tables: Followed): void {
    this.#history.follow(tables);
    this.#writer.follow(tables);
  }

  async all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    refuseInsideUnitOfWork();
    if (!statement.writes) return this.#readers.queries.all(statement, params);
    return this.#writes.add(() => this.#writer.all(statement, params));
  }

  async one<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    refuseInsideUnitOfWork();
    if (!statement.writes) return this.#readers.queries.one(statement, params);
    return this.#writes.add(() => this.#writer.one(statement, params));
  }

  async run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number> {
    refuseInsideUnitOfWork();
    return this.#writes.add(() => this.#writer.run(statement, params));
  }

  async dynamic<R>(query: DynamicQuery): Promise<R[]> {
    refuseInsideUnitOfWork();
    return this.#readers.queries.dynamic(query);
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    refuseInsideUnitOfWork();
    const unit = new UnitOfWork(this.#writer);
    const result = await this.#inTurn(() => this.#perform(unit, work));
    unit.committed(this.#report);
    return result;
  }

  /** An SQLite database has only one node, so no lock between nodes is needed. */
  async changeSchema<T>(work: (session: SchemaSession) => Promise<T>): Promise<T> {
    await this.#schemaTurn.acquire();
    return work({
      dialect: 'sqlite',
      all: (statement, params) => this.all(statement, params),
      one: (statement, params) => this.one(statement, params),
      run: (statement, params) => this.run(statement, params),
      dynamic: (query) => this.dynamic(query),
      unit: (unit) => this.transaction(unit),
      concurrently: (work) => work(),
    }).finally(() => this.#schemaTurn.release());
  }

  async batch<const Steps extends readonly Step<unknown>[]>(steps: Steps): Promise<StepRows<Steps>> {
    refuseInsideUnitOfWork();
    return this.#writes.add(() => this.#part(steps), true) as Promise<StepRows<Steps>>;
  }

  /** Runs a part of a transaction in a savepoint, so that a failure undoes only this part. */
  async #part(steps: readonly Step<unknown>[]): Promise<unknown[][]> {
    this.#partBegins();
    try {
      const rows: unknown[][] = [];
      for (const { statement, params } of steps) rows.push(await this.#writer.all(statement, params));
      return rows;
    } catch (error) {
      if (this.#writer.inTransaction) this.#undoPart();
      throw error;
    } finally {
      if (this.#writer.inTransaction) this.#partEnds();
    }
  }

  /** After a failed write only a successful write to the database itself proves that it works again. */
  async check(): Promise<void> {
    try {
      await (this.#isDoubtful ? this.#writes.add(async () => this.#touch()) : this.#inTurn(async () => {}));
      this.#isDoubtful = false;
      await checkSpace(this.#file);
    } catch (cause) {
      throw cause instanceof AppError ? cause : databaseUnavailable(cause);
    }
  }

  connections(): undefined {}

  async close(): Promise<void> {
    await this.#writes.flush();
    await this.#turns.acquire();
    this.#closed = true;
    this.#turns.release();
    await this.#checkpointer.close();
    await this.#sync.durable().catch(this.#report);
    this.#readers.close();
    this.#writer.close();
    await this.#log.close();
  }

  #store(writes: readonly Write[]): Promise<readonly Outcome[]> {
    return this.#inTurn(async () => {
      const [only, ...others] = writes;
      if (only && others.length === 0 && !only.isUnit) {
        return [{ status: 'fulfilled', value: await this.#committing(only.run) }];
      }
      return this.#together(writes);
    }, true);
  }

  /**
   * Runs several writes in one transaction. A failed one is undone on its own; if the disk is full or fails, nothing of
   * any is stored.
   */
  async #together(writes: readonly Write[]): Promise<readonly Outcome[]> {
    this.#begin();
    try {
      const outcomes: Outcome[] = [];
      for (const write of writes) outcomes.push(await outcomeOf(write.run));
      await this.#committing(this.#commit);
      return outcomes;
    } finally {
      if (this.#writer.inTransaction) this.#rollback();
    }
  }

  async #perform<T>(unit: UnitOfWork, work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#begin();
    let isCommitting = false;
    try {
      const result = await withinOneTurn(unit.perform(work));
      isCommitting = true;
      await this.#committing(this.#commit);
      return result;
    } catch (error) {
      unit.end();
      // A failed COMMIT that has ended the transaction may have written it to the log.
      const isRolledBack = !isCommitting || this.#writer.inTransaction;
      if (this.#writer.inTransaction) this.#rollback();
      if (isRolledBack) unit.rolledBack(this.#report);
      throw error;
    }
  }

  async #committing<T>(commit: () => T): Promise<Awaited<T>> {
    this.#readers.commitFollows();
    // Counted first, because the sync that follows also releases the readers.
    this.#sync.committed();
    try {
      const result = await commit();
      this.#checkpointer.afterCommit();
      return result;
    } catch (error) {
      if (isDiskFailure(error)) this.#sync.fail(error);
      throw error;
    }
  }

  /**
   * Resolves or rejects once everything that the action wrote or read is durable.
   * @param isGathered whether the action combines the writes of several callers
   */
  async #inTurn<T>(action: () => Promise<T>, isGathered = false): Promise<T> {
    await this.#turns.acquire();
    try {
      if (this.#closed) throw new Error('the database is closed');
      this.#sync.assertWritable();
      return await action();
    } catch (error) {
      if (isUnavailable(error)) this.#isDoubtful = true;
      throw error;
    } finally {
      this.#turns.release();
      await this.#sync.durable(isGathered);
    }
  }

  async #exclusively(action: () => Promise<void>): Promise<void> {
    await this.#turns.acquire();
    try {
      await this.#sync.durable();
      await action();
    } finally {
      this.#turns.release();
    }
  }
}

/** @throws errors after which the transaction cannot continue */
async function outcomeOf(run: Write['run']): Promise<Outcome> {
  try {
    return { status: 'fulfilled', value: await run() };
  } catch (reason) {
    if (isUnavailable(reason)) throw reason;
    return { status: 'rejected', reason };
  }
}

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.kind === 'unavailable';

const chained = (first: () => unknown, second: () => unknown) => (): void => {
  first();
  second();
};

/**
 * Rejects if the work does not finish in this turn of the event loop. Statements do, so longer work must wait for
 * something else.
 */
function withinOneTurn<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const guard = setImmediate(() =>
    late.reject(new Error('a transaction waited for something other than its own statements, and was rolled back')),
  );
  return Promise.race([work, late.promise]).finally(() => clearImmediate(guard));
}
