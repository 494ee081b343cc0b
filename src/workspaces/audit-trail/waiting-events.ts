import type { Database } from '../../storage/index.ts';
import { addEvents, MOST_TOGETHER, type NewEvent } from './store.ts';

/** How long an event waits for others, milliseconds. */
const TOGETHER_MS = 500;
/** Until it is tried again to store what could not be. */
const AGAIN_MS = 5_000;
/** @limit events of audit trails that wait in a process to be stored, events -> what comes then is in the audit record alone, and the log says so */
export const MOST_WAITING = 10_000;

/** Events on their way into the database: no request waits for them, and those of half a second share a unit of work. */
export class WaitingEvents {
  readonly #database: Database;
  readonly #report: (error: unknown) => void;
  readonly #waiting: NewEvent[] = [];
  #lost = 0;
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

  /** Stores all that waits. Never rejects: what cannot be stored goes on waiting. */
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
      const some = this.#waiting.slice(0, MOST_TOGETHER);
      try {
        await this.#database.transaction((tx) => addEvents(tx, some));
      } catch (error) {
        this.#report(error);
        this.#storeIn(AGAIN_MS);
        return;
      }
      this.#waiting.splice(0, some.length);
    }
    if (this.#lost === 0) return;
    this.#report(new Error(`${this.#lost} events are in no audit trail: too many waited. The audit record has them`));
    this.#lost = 0;
  }

  #storeIn(milliseconds: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), milliseconds).unref();
  }
}
