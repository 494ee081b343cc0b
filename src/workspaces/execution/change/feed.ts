import type { Database } from '../../../storage/index.ts';
import { type Change, Reader, readClock } from './journal.ts';

/**
 * Time between two looks at the journal. Each process looks by itself, as long as somebody follows: signals between nodes would have every
 * lock wait for the commit of every other one on PostgreSQL.
 */
const EVERY_MS = 1_000;

/** Told of what has happened; of undefined when that was too much to tell. */
export type Listener = (changes: readonly Change[] | undefined) => Promise<void>;

/** Follows the journal of changes while somebody listens, with one query a second for all of them. */
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

  /** Whatever is committed once this has resolved is told. */
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

  /** Where the journal has been read to. Undefined while nobody listens. */
  async clock(): Promise<number | undefined> {
    return (await this.#reader)?.clock;
  }

  /** Nobody listens any more. Resolves once nobody is told anything either. */
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
