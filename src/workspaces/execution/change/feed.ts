import type { Database } from '../../../storage/index.ts';
import { type Change, Reader, readClock } from './journal.ts';

/**
 * Polling interval of the journal. Each process polls while it has listeners. Notifications between nodes
 * (LISTEN/NOTIFY on PostgreSQL) would serialize the commits of all locks.
 */
const EVERY_MS = 1_000;

/** Called with new changes, or with undefined if there were too many. */
export type Listener = (changes: readonly Change[] | undefined) => Promise<void>;

/** Polls the change journal while it has listeners, with one query a second for all of them. */
export class ChangeFeed {
  readonly #database: Database;
  readonly #tell: Listener;
  readonly #report: (error: unknown) => void;
  #reader: Promise<Reader> | undefined;
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, tell: Listener, report: (error: unknown) => void) {
    this.#database = database;
    this.#tell = tell;
    this.#report = report;
  }

  /** Starts listening. All changes that are committed after this resolves are reported. */
  async begin(): Promise<void> {
    if (this.#reader === undefined) {
      const reader = readClock(this.#database).then((clock) => new Reader(this.#database, clock));
      this.#reader = reader;
      reader.then(
        () => this.#lookSoon(reader),
        () => this.#forget(reader),
      );
    }
    await this.#reader;
  }

  /** Position up to which the journal was read. Returns undefined without listeners. */
  async clock(): Promise<number | undefined> {
    return (await this.#reader)?.clock;
  }

  /** Stops listening. Resolves when no call to the listener is in progress. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#reader = undefined;
    await this.#looking;
  }

  #forget(reader: Promise<Reader>): void {
    if (this.#reader === reader) this.#reader = undefined;
  }

  #lookSoon(reader: Promise<Reader>): void {
    if (this.#reader !== reader) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look(reader).catch(this.#report);
      void this.#looking.then(() => this.#lookSoon(reader));
    }, EVERY_MS).unref();
  }

  async #look(reader: Promise<Reader>): Promise<void> {
    const changes = await (await reader).next();
    if (changes === undefined || changes.length > 0) await this.#tell(changes);
  }
}
