import type { Duplex } from 'node:stream';
import { DatabaseError, parse, serialize } from 'pg-protocol';
import type { SqlValue } from '../../database.ts';
import { endsSession } from '../errors.ts';
import type { PostgresAnswer, PostgresQuery } from '../pool.ts';
import { parserOf } from '../values.ts';

/** Message of the server, and those with a content. `pg-protocol` does not export their types. */
type Message = Parameters<Parameters<typeof parse>[1]>[0];
type Ready = Message & { readonly status: string };
type DataRow = Message & { readonly fields: readonly (string | null)[] };
type CommandComplete = Message & { readonly text: string };
type RowDescription = Message & { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] };

/** Transaction status of a ready server. */
const IN_FAILED_TRANSACTION = 'E';

/**
 * Longer than the statement timeout: the server must be gone although no packet has reported it.
 * @limit time without data from PostgreSQL while a response is pending, ms -> the connection is closed: 503
 */
const ANSWER_TIMEOUT_MS = 45_000;

/** A column of a result. */
interface Column {
  readonly name: string;
  /** Parser of the column's values. Undefined for text, the most frequent type. */
  readonly parse: ((text: string) => unknown) | undefined;
}

/** A prepared statement as this connection knows it. */
interface Prepared {
  readonly text: string;
  columns: readonly Column[];
  isPrepared: boolean;
}

/** A query of a group and its result. */
interface Asked {
  readonly prepared: Prepared;
  readonly settle: PromiseWithResolvers<PostgresAnswer>;
  /** True until the server confirms that it has prepared the statement. */
  isUnprepared: boolean;
  rows: unknown[];
  rowCount: number | null;
  /** Error of parsing a row on this side. */
  failure: unknown;
}

/** Queries that were sent as one group: if one fails, the server skips the rest. */
interface Group {
  readonly asked: Asked[];
  /** Index of the query whose result is being received. */
  current: number;
  error: unknown;
}

/**
 * The extended query protocol with pipelining on one connection. No query waits for the response before it, and the
 * queries of one turn of the event loop are sent in one write. A statement is described only when it is prepared.
 */
export class Session {
  readonly #stream: Duplex;
  /** Messages that are not sent yet. */
  #unsent: Buffer[] = [];
  readonly #prepared = new Map<string, Prepared>();
  /** Groups without a response, oldest first. */
  readonly #groups: Group[] = [];
  /** The last group while queries can be added to it. */
  #growing: Group | undefined;
  #isWriting = false;
  #writes = 0;
  #failure: { readonly error: unknown } | undefined;
  /** Silence while a response is due after which the connection counts as lost, milliseconds. */
  answerTimeoutMs = ANSWER_TIMEOUT_MS;
  /** Time of the last message, or of the first query after all earlier ones got their responses. */
  #heard = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', () => {
      this.#heard = performance.now();
    });
    void parse(stream, (message) => this.#receive(message));
  }

  /** Number of writes. */
  get writes(): number {
    return this.#writes;
  }

  /** The error that made the session unusable. */
  get failure(): unknown {
    return this.#failure?.error;
  }

  /** Runs a query that succeeds or fails independently of others. */
  async query(query: PostgresQuery): Promise<PostgresAnswer> {
    const [answer] = await this.batch([query]);
    return answer as PostgresAnswer;
  }

  /** Runs queries that all succeed or all fail, unless a BEGIN came before or is among them. */
  batch(queries: readonly PostgresQuery[]): Promise<PostgresAnswer[]> {
    this.#close();
    const answers = queries.map((query) => this.joined(query));
    this.#close();
    return Promise.all(answers);
  }

  /**
   * Adds a query to the group that is sent in this turn of the event loop: if one fails, the server skips the ones
   * behind it.
   */
  joined(query: PostgresQuery): Promise<PostgresAnswer> {
    const settle = Promise.withResolvers<PostgresAnswer>();
    if (this.#failure) {
      settle.reject(this.#failure.error);
      return settle.promise;
    }
    this.#growing ??= this.#grow();
    this.#growing.asked.push(this.#ask(query, settle));
    return settle.promise;
  }

  /** Marks the connection as lost and fails all pending queries. */
  fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error };
    clearTimeout(this.#watch);
    this.#stream.destroy();
    // A group that the server has refused keeps its own error.
    for (const group of this.#groups.splice(0))
      for (const { settle } of group.asked) settle.reject(group.error ?? error);
  }

  #grow(): Group {
    const group: Group = { asked: [], current: 0, error: undefined };
    if (this.#groups.length === 0) this.#heard = performance.now();
    this.#groups.push(group);
    if (this.#watch === undefined) this.#watchFor(this.answerTimeoutMs);
    if (!this.#isWriting) {
      this.#isWriting = true;
      setImmediate(() => this.#write());
    }
    return group;
  }

  /** Uses one timer for all pending queries. */
  #watchFor(milliseconds: number): void {
    if (milliseconds === Number.POSITIVE_INFINITY) return;
    this.#watch = setTimeout(() => {
      this.#watch = undefined;
      if (this.#groups.length === 0) return;
      const left = this.#heard + this.answerTimeoutMs - performance.now();
      if (left > 0) this.#watchFor(left);
      else this.fail(new Error(`the database has not answered for ${this.answerTimeoutMs / 1000} s`));
    }, milliseconds).unref();
  }

  #close(): void {
    if (this.#growing) this.#unsent.push(serialize.sync());
    this.#growing = undefined;
  }

  #write(): void {
    this.#isWriting = false;
    this.#close();
    if (this.#failure) return;
    this.#writes++;
    this.#stream.write(Buffer.concat(this.#unsent));
    this.#unsent = [];
  }

  #ask({ name = '', text, values }: PostgresQuery, settle: PromiseWithResolvers<PostgresAnswer>): Asked {
    const prepared = this.#known(name, text);
    const isUnprepared = !prepared.isPrepared;
    if (isUnprepared) {
      // The name may belong to another statement; closing a name without a statement is no error.
      if (name !== '') this.#unsent.push(serialize.close({ type: 'S', name }));
      this.#unsent.push(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
      prepared.isPrepared = name !== '';
    }
    this.#unsent.push(serialize.bind({ statement: name, values, valueMapper: parameterOf }), serialize.execute());
    return { prepared, settle, isUnprepared, rows: [], rowCount: null, failure: undefined };
  }

  #known(name: string, text: string): Prepared {
    const known = this.#prepared.get(name);
    if (known?.text === text && name !== '') return known;
    const prepared = { text, columns: [], isPrepared: false };
    if (name !== '') this.#prepared.set(name, prepared);
    return prepared;
  }

  #receive(message: Message): void {
    const group = this.#groups[0];
    if (message instanceof DatabaseError) {
      this.#refused(message, group);
    } else if (group !== undefined) {
      if (message.name === 'readyForQuery') this.#end(group, (message as Ready).status === IN_FAILED_TRANSACTION);
      else if (group.error === undefined) this.#answer(message, group);
    }
  }

  #answer(message: Message, group: Group): void {
    const asked = group.asked[group.current];
    if (asked === undefined) return;
    if (message.name === 'dataRow') {
      addRow(asked, (message as DataRow).fields);
    } else if (message.name === 'commandComplete') {
      asked.rowCount = rowCountOf((message as CommandComplete).text);
      group.current++;
    } else if (message.name === 'parseComplete') {
      asked.isUnprepared = false;
    } else if (message.name === 'rowDescription') {
      asked.prepared.columns = (message as RowDescription).fields.map(({ name, dataTypeID }) => ({
        name,
        parse: parserOf(dataTypeID),
      }));
    }
  }

  /** Closes the connection after an error outside of a query, or a fatal one. */
  #refused(error: DatabaseError, group: Group | undefined): void {
    if (group === undefined || endsSession(error)) this.fail(error);
    else group.error ??= error;
  }

  /** Ends a group. Nothing of a failed group is stored, unless it started a transaction, which stays failed. */
  #end({ asked, current, error }: Group, inTransaction: boolean): void {
    this.#groups.shift();
    for (const [index, one] of asked.entries()) {
      if (one.isUnprepared) one.prepared.isPrepared = false;
      const failure = error !== undefined && (index >= current || !inTransaction) ? error : one.failure;
      if (failure === undefined) one.settle.resolve(one);
      else one.settle.reject(failure);
    }
  }
}

function addRow(asked: Asked, fields: readonly (string | null)[]): void {
  if (asked.failure !== undefined) return;
  const { columns } = asked.prepared;
  const row: Record<string, unknown> = {};
  try {
    for (let index = 0; index < columns.length; index++) {
      const { name, parse: parsed } = columns[index] as Column;
      const text = fields[index] as string | null;
      row[name] = text === null || parsed === undefined ? text : parsed(text);
    }
    asked.rows.push(row);
  } catch (error) {
    asked.failure = error;
  }
}

/** The number of rows is the last word of the tag, where there is one (`INSERT 0 3`). */
function rowCountOf(tag: string): number | null {
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
  return Number.isNaN(count) ? null : count;
}

/** Returns a parameter as the protocol sends it: bytes in binary form, all others as text. */
function parameterOf(value: SqlValue): Buffer | string | null {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value === null ? null : String(value);
}
