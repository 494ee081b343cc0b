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
/** What a server that is ready says of its transaction. */
const IN_FAILED_TRANSACTION = letter('E');

/**
 * Longer than a statement may take: then its server is gone, and no packet has said so.
 * @limit silence of PostgreSQL while it owes an answer, ms -> the connection is given up: 503
 */
const ANSWER_TIMEOUT_MS = 45_000;

/** A statement under a name, as far as this connection knows it. */
interface Prepared {
  readonly text: string;
  columns: readonly Column[];
  isPrepared: boolean;
}

/** A query of a group, and what has come of it. */
interface Asked {
  readonly prepared: Prepared;
  readonly settle: PromiseWithResolvers<PostgresAnswer>;
  /** As long as the server has not said that it has prepared the statement for it. */
  isUnprepared: boolean;
  rows: unknown[];
  rowCount: number | null;
  /** What our own reading of a row threw. */
  failure: unknown;
}

/** Queries that were sent together: where one fails the server skips the rest. */
interface Group {
  readonly asked: Asked[];
  /** The query that is being answered. */
  current: number;
  error: unknown;
}

/**
 * The extended query protocol on one connection. Nothing waits for the answer before it: what is sent in one turn of the
 * event loop is one write. A statement is described when it is prepared, and never again.
 */
export class Session {
  readonly #stream: Duplex;
  readonly #writer = new MessageWriter();
  readonly #reader = new MessageReader();
  readonly #prepared = new Map<string, Prepared>();
  /** Not answered yet, the oldest first. */
  readonly #groups: Group[] = [];
  /** The last of them while it can grow. */
  #growing: Group | undefined;
  #isWriting = false;
  #writes = 0;
  #failure: { readonly error: unknown } | undefined;
  /** Milliseconds of silence, while an answer is due, after which the connection counts as lost. */
  answerTimeoutMs = ANSWER_TIMEOUT_MS;
  /** When something came last, or was asked after everything had been answered. */
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

  /** How often something was sent. */
  get writes(): number {
    return this.#writes;
  }

  /** Why it can be used no more. */
  get failure(): unknown {
    return this.#failure?.error;
  }

  /** A query that succeeds or fails by itself. */
  async query(query: PostgresQuery): Promise<PostgresAnswer> {
    const [answer] = await this.batch([query]);
    return answer as PostgresAnswer;
  }

  /** Queries of which, unless a BEGIN came before or is among them, all succeed or none. */
  batch(queries: readonly PostgresQuery[]): Promise<PostgresAnswer[]> {
    this.#close();
    const answers = queries.map((query) => this.joined(query));
    this.#close();
    return Promise.all(answers);
  }

  /** One query more of those that are sent together in this turn: where one of them fails, those behind it are skipped. */
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

  /** The connection is lost: whatever waits is told so. */
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

  /** One timer for all that is asked meanwhile. */
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
      // Another text may have had the name; where there is none of it that is no error.
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

  /** What comes unasked, or is fatal, ends the connection. */
  #refused(error: DatabaseError, group: Group | undefined): void {
    if (group === undefined || error.severity === 'FATAL') this.fail(error);
    else group.error ??= error;
  }

  /** Nothing of the group is stored that failed, unless it was the beginning of a transaction, which goes on failing. */
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
