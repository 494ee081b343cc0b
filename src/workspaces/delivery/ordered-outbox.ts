import { type Database, sql, type Transaction } from '../../storage/index.ts';
import { ClaimTable, type Rows, UNCLAIMED } from './claim-table.ts';
import { type Ended, type Entry, type Expired, isSettled, type Lease, type Outbox } from './queue.ts';

/** Number of messages of one row before others are served. */
const IN_A_ROW = 20;

/** Tables of an ordered outbox. The rows also have a column `queued`, which counts their messages. */
export interface OrderedTables extends Rows {
  readonly messages: {
    /** Table with the columns `id`, `place`, `content`, `tries`, `created_at` and `row`. */
    readonly table: string;
    /** Column with the ID of the row. */
    readonly row: string;
  };
  /** Number of messages of one row above which new ones are dropped. */
  readonly mostWaiting: number;
  /** Time in milliseconds after which a message is dropped unsent. */
  readonly longestWait: number;
  /** Number of messages of one row before others are served. Default: 20. */
  readonly inARow?: number;
}

/** A message to store. */
export interface NewMessage<Content> {
  readonly id: string;
  /** ID of its row. */
  readonly rowId: string;
  readonly content: Content;
  /** Order of the messages with equal `createdAt`. */
  readonly place: number;
  readonly createdAt: number;
}

/** A claimed message of a row. */
export interface OrderedEntry<Row, Content> extends Entry<Row> {
  readonly messageId: string;
  readonly content: Content;
}

/** Outbox that sends the messages of each row in order, one at a time. A failed message delays its successors. */
export class OrderedOutbox<Row, Content> extends ClaimTable<Row> implements Outbox<OrderedEntry<Row, Content>> {
  readonly inARow: number;
  readonly #tables: OrderedTables;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(tables: OrderedTables) {
    super(tables, 'queued > :settled', 'queued = queued - :settled,');
    this.#tables = tables;
    this.inARow = tables.inARow ?? IN_A_ROW;
    this.#statements = statementsOf(tables);
  }

  /** Stores a message in the transaction of its cause. Returns false if too many are waiting. */
  async add(tx: Transaction, { rowId, content, ...message }: NewMessage<Content>): Promise<boolean> {
    const { grow, insert } = this.#statements;
    const room = { id: rowId, most: this.#tables.mostWaiting, now: message.createdAt };
    if ((await tx.one(grow, room)) === undefined) return false;
    await tx.run(insert, { ...message, rowId, content: JSON.stringify(content) });
    return true;
  }

  /** Drops all messages of a row and ends its claim. */
  async clear(tx: Transaction, rowId: string): Promise<void> {
    const { empty, reset } = this.#statements;
    await tx.run(empty, { id: rowId });
    await tx.run(reset, { id: rowId });
  }

  take(database: Database, id: string, lease: Lease, expired: Expired<Row>) {
    return database.transaction(async (tx): Promise<OrderedEntry<Row, Content> | undefined> => {
      const claimed = await this.claim(tx, id, lease);
      if (claimed === undefined) return undefined;
      const { now } = lease;
      const count = await this.#expire(tx, id, now - this.#tables.longestWait);
      if (count > 0) await expired(tx, claimed.row, count, now);
      const message = await tx.one(this.#statements.first, { rowId: id });
      if (message !== undefined) {
        const { id: messageId, tries, content } = message;
        return { ...claimed, messageId, tries, content: JSON.parse(content) as Content };
      }
      await this.end(tx, claimed, { settled: 0, failures: claimed.failures, dueAt: now });
      return undefined;
    });
  }

  async release(tx: Transaction, entry: OrderedEntry<Row, Content>, { verdict, failures, dueAt }: Ended) {
    const isOver = isSettled(verdict);
    if (!(await this.end(tx, entry, { settled: Number(isOver), failures, dueAt }))) return false;
    const { countTry, remove } = this.#statements;
    if (verdict !== 'postponed') await tx.run(isOver ? remove : countTry, { id: entry.messageId });
    return true;
  }

  async #expire(tx: Transaction, rowId: string, before: number): Promise<number> {
    const { expire, shrink } = this.#statements;
    const by = await tx.run(expire, { rowId, before });
    if (by > 0) await tx.run(shrink, { id: rowId, by });
    return by;
  }
}

function statementsOf({ table, failures = 'failures', messages: { table: messages, row } }: OrderedTables) {
  return {
    grow: sql<{ id: string; most: number; now: number }, { id: string }>(
      `UPDATE ${table} SET queued = queued + 1, due_at = COALESCE(due_at, :now)
       WHERE id = :id AND queued < :most RETURNING id`,
    ),
    insert: sql<{ id: string; rowId: string; place: number; content: string; createdAt: number }>(
      `INSERT INTO ${messages} (id, ${row}, place, content, tries, created_at)
       VALUES (:id, :rowId, :place, :content, 0, :createdAt)`,
    ),
    expire: sql<{ rowId: string; before: number }>(
      `DELETE FROM ${messages} WHERE ${row} = :rowId AND created_at < :before`,
    ),
    shrink: sql<{ id: string; by: number }>(`UPDATE ${table} SET queued = queued - :by WHERE id = :id`),
    first: sql<{ rowId: string }, { id: string; content: string; tries: number }>(
      `SELECT id, content, tries FROM ${messages} WHERE ${row} = :rowId ORDER BY created_at, place, id LIMIT 1`,
    ),
    remove: sql<{ id: string }>(`DELETE FROM ${messages} WHERE id = :id`),
    countTry: sql<{ id: string }>(`UPDATE ${messages} SET tries = tries + 1 WHERE id = :id`),
    empty: sql<{ id: string }>(`DELETE FROM ${messages} WHERE ${row} = :id`),
    reset: sql<{ id: string }>(
      `UPDATE ${table} SET queued = 0, due_at = NULL, ${UNCLAIMED}, ${failures} = 0 WHERE id = :id`,
    ),
  };
}
