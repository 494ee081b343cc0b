import type { Database, Queries, Transaction } from '../../storage/index.ts';
import type { Fragment } from '../query/dynamic.ts';
import type { DeliveryPlaces, DeliveryTask, Due, Without } from './delivery-loop.ts';

/**
 * Outcome of one attempt. arrived: accepted. refused: another attempt would not help. failed: it may help. postponed: there
 * was no attempt, because the sender has a quota.
 */
export type Outcome = 'arrived' | 'refused' | 'failed' | 'postponed';

/** Result of one attempt. */
export interface Attempt {
  readonly outcome: Outcome;
  /** Time of the first attempt of a postponed message, milliseconds since 1970. */
  readonly until?: number;
}

/** A claimed message. */
export interface Entry<Row = unknown> {
  readonly id: string;
  /** Columns of the claimed row. */
  readonly row: Row;
  readonly claim: string;
  /** Failed attempts of the row since its last success, which set the back-off. */
  readonly failures: number;
  /** Earlier attempts to send this message. */
  readonly tries: number;
}

/**
 * State of a message after an attempt. failed: another attempt follows. postponed: so does the first one. given_up: the
 * message is dropped.
 */
export type Verdict = 'delivered' | 'failed' | 'given_up' | 'postponed';

/** Returns whether the message is finished. */
export const isSettled = (verdict: Verdict): boolean => verdict === 'delivered' || verdict === 'given_up';

/** End of an attempt. Times are milliseconds since 1970. */
export interface Ended {
  readonly verdict: Verdict;
  readonly failures: number;
  /** Time of the next attempt of the row, if a message is left. */
  readonly dueAt: number;
  readonly now: number;
}

/** A claim to take. Times are milliseconds since 1970. */
export type Lease = {
  readonly claim: string;
  readonly now: number;
  /** Time from which another node may take the message. */
  readonly until: number;
};

/** Called in the transaction of a claim for messages that were dropped because they had waited too long. */
export type Expired<Row> = (tx: Transaction, row: Row, count: number, now: number) => Promise<void>;

/** Storage of a queue. `RowOutbox` and `OrderedOutbox` implement it. */
export interface Outbox<E extends Entry> {
  /** Number of messages of one row before others are served. */
  readonly inARow: number;
  /** Returns due rows, longest due first. */
  due(db: Queries, now: number, without: Without, limit: number): Promise<Due[]>;
  /** Claims a row. Returns undefined if another node has it, or nothing is left to send. */
  take(database: Database, id: string, lease: Lease, expired: Expired<E['row']>): Promise<E | undefined>;
  /** Releases the claim after an attempt. Returns false if it was lost meanwhile. */
  release(tx: Transaction, entry: E, ended: Ended): Promise<boolean>;
  /** Returns the query of its row in the metrics. */
  pending(queue: string): Fragment;
}

/**
 * Declaration of a queue. Delivery is at least once: if a node dies between an attempt and its result, another node
 * makes the attempt again.
 */
export interface Queue<E extends Entry, A extends Attempt> {
  /** Label in the metrics of outboxes: a word with underscores. */
  readonly name: string;
  /** Background task that sends its messages. */
  readonly task: DeliveryTask;
  readonly outbox: Outbox<E>;
  readonly places: DeliveryPlaces;
  /** Attempts after which a message is dropped. Absent: no limit. */
  readonly mostTries?: number;
  /** Returns the time of the last attempt, milliseconds since 1970. A retry that would be later happens then. */
  latest?(entry: E): number;
  /**
   * Makes one attempt, outside of any transaction. Throws only for errors of the server itself. They are reported, and
   * the message is sent again when its claim expires.
   */
  attempt(entry: E, signal: AbortSignal): Promise<A>;
  /** Stores the result in the transaction that releases the claim. Not called if the claim was lost meanwhile. */
  settle?(tx: Transaction, entry: E, attempt: A, ended: Ended): Promise<void>;
  /** See `Expired`. */
  expired?(...given: Parameters<Expired<E['row']>>): Promise<void>;
}
