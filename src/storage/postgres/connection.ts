import { LRUCache } from 'lru-cache';
import type { DynamicQuery, Params, Queries, Statement, Step } from '../database.ts';
import { bind, bindDynamic, type Compiled, compile } from '../statement.ts';
import { translate } from './errors.ts';
import type { PostgresAnswer, PostgresClient, PostgresQuery } from './pool.ts';

interface Named {
  readonly compiled: Compiled;
  readonly name: string;
}

/**
 * Planning a list query takes the server longer than reading the list.
 * @limit prepared dynamic queries of a connection to PostgreSQL, queries -> the least recently used is dropped and
 * prepared again later
 */
const KEPT_DYNAMIC = 100;

/** The statements of one database with the names of their prepared statements. */
export class PreparedNames {
  readonly #byText = new Map<string, Named>();
  /** Names of dynamic queries; an evicted query frees its name for the next. */
  readonly #dynamic = new LRUCache<string, string>({ max: KEPT_DYNAMIC, dispose: (name) => this.#free.push(name) });
  readonly #free = Array.from({ length: KEPT_DYNAMIC + 1 }, (_, index) => `d${index + 1}`);

  query<P extends Params>(statement: Statement<P, unknown>, params: P): PostgresQuery {
    const { compiled, name } = this.#named(statement.text);
    const values = bind(compiled, params);
    return compiled.data ? { name, text: compiled.text, values } : { text: compiled.text, values };
  }

  dynamic({ sql, parameters }: DynamicQuery): PostgresQuery {
    return { name: this.#dynamicName(sql), text: sql, values: bindDynamic(parameters) };
  }

  #dynamicName(text: string): string {
    const known = this.#dynamic.get(text);
    if (known !== undefined) return known;
    const name = this.#free.pop() as string;
    this.#dynamic.set(text, name);
    return name;
  }

  #named(text: string): Named {
    let named = this.#byText.get(text);
    if (!named) {
      named = { compiled: compile(text, 'postgres'), name: `s${this.#byText.size + 1}` };
      this.#byText.set(text, named);
    }
    return named;
  }
}

/** A pooled connection. Statements run in the order in which they were issued. */
export class PostgresConnection implements Queries {
  readonly dialect = 'postgres';
  readonly #client: PostgresClient;
  readonly #names: PreparedNames;

  constructor(client: PostgresClient, names: PreparedNames) {
    this.#client = client;
    this.#names = names;
  }

  async all<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    return (await this.#send(this.#names.query(statement, params))).rows as R[];
  }

  async one<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    return (await this.#send(this.#names.query(statement, params))).rows[0] as R | undefined;
  }

  async run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<number> {
    return (await this.#send(this.#names.query(statement, params))).rowCount ?? 0;
  }

  async dynamic<R>(query: DynamicQuery): Promise<R[]> {
    return (await this.#send(this.#names.dynamic(query))).rows as R[];
  }

  /** Runs a transaction of its own. */
  async batch(steps: readonly Step<unknown>[]): Promise<unknown[][]> {
    const queries = steps.map(({ statement, params }) => this.#names.query(statement, params));
    try {
      return (await this.#client.batch(queries)).map(({ rows }) => rows);
    } catch (error) {
      throw translate(error);
    }
  }

  /** Runs BEGIN, COMMIT and the like. */
  async command(text: string): Promise<void> {
    await this.#send({ name: text, text, values: [] });
  }

  async #send(query: PostgresQuery): Promise<PostgresAnswer> {
    try {
      return await this.#client.query(query);
    } catch (error) {
      throw translate(error);
    }
  }
}
