import type {
  Database,
  Dialect,
  DynamicQuery,
  Params,
  Reading,
  SchemaSession,
  Statement,
  Step,
  StepRows,
  Transaction,
} from '../storage/index.ts';
import type { Tracer } from './tracer.ts';

const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const;
/** Matches the verb of a statement and its table. */
const SUMMARY = /^\s*(\w+)\b(?:[\s\S]*?\b(?:from|into|update)\s+([a-z_]\w*))?/i;

/** A database that records transactions, batches and single statements as spans of the request that runs them. */
export class TracedDatabase implements Database {
  readonly dialect: Dialect;
  readonly #database: Database;
  readonly #tracer: Tracer;

  constructor(database: Database, tracer: Tracer) {
    this.dialect = database.dialect;
    this.#database = database;
    this.#tracer = tracer;
  }

  all<P extends Params, R>(statement: Statement<P, R>, params: NoInfer<P>): Promise<R[]> {
    return this.#step(
      () => summary(statement.text),
      () => this.#database.all(statement, params),
    );
  }

  one<P extends Params, R>(statement: Statement<P, R>, params: NoInfer<P>): Promise<R | undefined> {
    return this.#step(
      () => summary(statement.text),
      () => this.#database.one(statement, params),
    );
  }

  run<P extends Params, R>(statement: Statement<P, R>, params: NoInfer<P>): Promise<number> {
    return this.#step(
      () => summary(statement.text),
      () => this.#database.run(statement, params),
    );
  }

  dynamic<R>(query: DynamicQuery): Promise<R[]> {
    return this.#step(
      () => summary(query.sql),
      () => this.#database.dynamic<R>(query),
    );
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#step(
      () => 'transaction',
      () => this.#database.transaction(work),
    );
  }

  batch<const Steps extends readonly Step<unknown>[]>(steps: Steps): Promise<StepRows<Steps>> {
    return this.#step(
      () => 'batch',
      () => this.#database.batch(steps),
      { 'db.operation.batch.size': steps.length },
    );
  }

  connections(): ReturnType<Database['connections']> {
    return this.#database.connections();
  }

  reading(rows?: readonly string[]): Reading | undefined {
    return this.#database.reading(rows);
  }

  follow(tables: Readonly<Record<string, string>>): void {
    this.#database.follow(tables);
  }

  changeSchema<T>(work: (session: SchemaSession) => Promise<T>): Promise<T> {
    return this.#database.changeSchema(work);
  }

  check(): Promise<void> {
    return this.#database.check();
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #step<T>(name: () => string, work: () => Promise<T>, more: Readonly<Record<string, number>> = {}): Promise<T> {
    const described = () => {
      const summarized = name();
      const attributes = { 'db.system.name': SYSTEMS[this.dialect], 'db.query.summary': summarized, ...more };
      return { name: summarized, attributes };
    };
    return this.#tracer.step(described, work);
  }
}

/** Returns a summary such as `SELECT workspace`, which contains no values. */
function summary(text: string): string {
  const [, verb = 'query', table] = SUMMARY.exec(text) ?? [];
  return table === undefined ? verb.toUpperCase() : `${verb.toUpperCase()} ${table}`;
}
