import type { Database, Transaction } from '../../storage/index.ts';
import { ClaimTable, type Rows } from './claim-table.ts';
import { type Ended, type Entry, isSettled, type Lease, type Outbox } from './queue.ts';

/**
 * Outbox whose rows are the messages. A message is written by setting its `due_at`, and withdrawn by setting it to NULL
 * together with `UNCLAIMED`. A finished message stays, with `due_at` NULL.
 */
export class RowOutbox<Row> extends ClaimTable<Row> implements Outbox<Entry<Row>> {
  readonly inARow = 1;

  constructor(rows: Rows) {
    super(rows, ':settled = 0');
  }

  take(database: Database, id: string, lease: Lease): Promise<Entry<Row> | undefined> {
    return this.claim(database, id, lease);
  }

  release(tx: Transaction, entry: Entry<Row>, { verdict, failures, dueAt }: Ended): Promise<boolean> {
    return this.end(tx, entry, { settled: Number(isSettled(verdict)), failures, dueAt });
  }
}
