import type { Duplex } from 'node:stream';
import type { DatabaseError } from 'pg';
import type { SqlValue } from '../../database.ts';
import type { PostgresAnswer, PostgresQuery } from '../pool.ts';
import { type Column, columnsOf, errorOf, rowCountOf, rowOf } from './answers.ts';
import { Frames, MessageReader } from './frames.ts';
import { MessageWriter } from './writer.ts';

const letter = (text: string): number => text.charCodeAt(0);
const PARSE_COMPLETE = letter('1');
const ROW_DESCRIPTION = letter('T');
const DATA_ROW = letter('D');
const COMMAND_COMPLETE = letter('C');
const ERROR = letter('E');
const READY = letter('Z');
/** Transaction status of a ready server. */
const IN_FAILED_TRANSACTION = letter('E');

/**
 * Longer than the statement timeout: the server must be gone although no packet has reported it.
 * @limit time without data from PostgreSQL while a response is pending, ms -> the connection is closed: 503
 */
const ANSWER_TIMEOUT_MS = 45_000;

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
  readonly #writer = new MessageWriter();
  readonly #reader = new MessageReader();
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
    const frames = new Frames((type, buffer, start) => this.#receive(type, this.#reader.readMessage(buffer, start)));
    stream.on('data', (piece: Buffer) => {
      this.#heard = performance.now();
      frames.push(piece);
    });
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
    for (const { asked } of this.#groups.splice(0)) for (const { settle } of asked) settle.reject(error);
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
    if (this.#growing) this.#writer.sync();
    this.#growing = undefined;
  }

  #write(): void {
    this.#isWriting = false;
    this.#close();
    if (this.#failure) return;
    this.#writes++;
    this.#stream.write(this.#writer.take());
  }

  #ask({ name = '', text, values }: PostgresQuery, settle: PromiseWithResolvers<PostgresAnswer>): Asked {
    const prepared = this.#known(name, text);
    const isUnprepared = !prepared.isPrepared;
    if (isUnprepared) {
      // The name may belong to another statement; closing a name without a statement is no error.
      if (name !== '') this.#writer.close(name);
      this.#writer.parse(name, text);
      this.#writer.describe(name);
      prepared.isPrepared = name !== '';
    }
    this.#writer.bind(name, values as SqlValue[]);
    this.#writer.execute();
    return { prepared, settle, isUnprepared, rows: [], rowCount: null, failure: undefined };
  }

  #known(name: string, text: string): Prepared {
    const known = this.#prepared.get(name);
    if (known?.text === text && name !== '') return known;
    const prepared = { text, columns: [], isPrepared: false };
    if (name !== '') this.#prepared.set(name, prepared);
    return prepared;
  }

  #receive(type: number, message: MessageReader): void {
    const group = this.#groups[0];
    if (type === ERROR) {
      this.#refused(errorOf(message), group);
    } else if (group !== undefined) {
      if (type === READY) this.#end(group, message.byte() === IN_FAILED_TRANSACTION);
      else if (group.error === undefined) this.#answer(type, message, group);
    }
  }

  #answer(type: number, message: MessageReader, group: Group): void {
    const asked = group.asked[group.current];
    if (asked === undefined) return;
    if (type === DATA_ROW) {
      addRow(asked, message);
    } else if (type === COMMAND_COMPLETE) {
      asked.rowCount = rowCountOf(message);
      group.current++;
    } else if (type === PARSE_COMPLETE) {
      asked.isUnprepared = false;
    } else if (type === ROW_DESCRIPTION) {
      asked.prepared.columns = columnsOf(message);
    }
  }

  /** Closes the connection after an error outside of a query, or a fatal one. */
  #refused(error: DatabaseError, group: Group | undefined): void {
    if (group === undefined || error.severity === 'FATAL') this.fail(error);
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

function addRow(asked: Asked, message: MessageReader): void {
  if (asked.failure !== undefined) return;
  try {
    asked.rows.push(rowOf(message, asked.prepared.columns));
  } catch (error) {
    asked.failure = error;
  }
}
