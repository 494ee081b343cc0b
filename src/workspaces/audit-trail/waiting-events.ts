import type { Database } from '../../storage/index.ts';
import { addEvents, MOST_TOGETHER, type NewEvent } from './store.ts';

/** Milliseconds that an event waits for others. */
const TOGETHER_MS = 500;
/** Milliseconds until a failed write is retried. */
const AGAIN_MS = 5_000;
/**
 * @limit events of audit trails queued in a process, events -> further events are only in the audit log, and the
 * server's log reports their number
 */
export const MOST_WAITING = 10_000;

/**
 * Queue of events to store (group commit): requests do not wait for the database, and the events of half a second
 * share a transaction.
 */
export class WaitingEvents {
  readonly #database: Database;
  readonly #report: (error: unknown) => void;
  readonly #waiting: NewEvent[] = [];
  #lost = 0;
  /** Number of queued events that a failed transaction may have stored: its COMMIT may have lost its response. */
  #mayBeStored = 0;
  #storing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, report: (error: unknown) => void) {
    this.#database = database;
    this.#report = report;
  }

  add(event: NewEvent): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(event);
    if (this.#waiting.length === MOST_TOGETHER) void this.flush();
    else this.#storeIn(TOGETHER_MS);
  }

  /** Stores all queued events. Never rejects: events whose write fails stay queued. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#storing ??= this.#store().finally(() => {
      this.#storing = undefined;
    });
    return this.#storing;
  }

  async #store(): Promise<void> {
    while (this.#waiting.length > 0) {
      const some = this.#waiting.slice(0, this.#mayBeStored || MOST_TOGETHER);
      const isRepeated = this.#mayBeStored > 0;
      try {
        await this.#database.transaction((tx) => addEvents(tx, some, isRepeated));
      } catch (error) {
        this.#mayBeStored = some.length;
        this.#report(error);
        this.#storeIn(AGAIN_MS);
        return;
      }
      this.#mayBeStored = 0;
      this.#waiting.splice(0, some.length);
    }
    if (this.#lost === 0) return;
    this.#report(
      new Error(
        `${this.#lost} events are missing from the audit trail because too many were queued. The audit log contains them`,
      ),
    );
    this.#lost = 0;
  }

  #storeIn(milliseconds: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), milliseconds).unref();
  }
}
