import type { Leadership } from '../../lib/background-work.ts';
import type { Clock } from '../../lib/clock.ts';
import { PeriodicTask } from '../../lib/periodic-task.ts';
import type { Database } from '../database.ts';
import * as table from './blob-table.ts';
import type { Blobs } from './blobs.ts';

/** Longer than any upload takes: what is younger may be about to be named by a row. */
const GRACE_MS = 6 * 3_600_000;
/** Between two steps others have their turn; without work, this is how often one looks for some. Milliseconds. */
const PAUSE = 100;
const REST = 3_600_000;

/** Sweeps what is left over from crashes and deleted workspaces, in bounded steps. */
export class BlobHousekeeping {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #clock: Clock;
  readonly #steps: PeriodicTask;
  #from: string | undefined;

  /** @param report told of what fails; it is tried again later */
  constructor(database: Database, blobs: Blobs, clock: Clock, report: (error: unknown) => void) {
    this.#database = database;
    this.#blobs = blobs;
    this.#clock = clock;
    const step = async () => ((await this.step()) ? PAUSE : REST);
    this.#steps = new PeriodicTask({ step, first: PAUSE, afterFailure: REST, report });
  }

  start(leadership?: Leadership): void {
    this.#steps.start(leadership);
  }

  /** Waits for the step that is being taken. */
  stop(): Promise<void> {
    return this.#steps.stop();
  }

  /** One step; true when there is more to do at once. */
  async step(): Promise<boolean> {
    const removed = await this.#removeOwnerless();
    await this.#removeOrphans();
    return removed || this.#from !== undefined;
  }

  /** First the content, then the row: whoever is killed in between does it once more. */
  async #removeOwnerless(): Promise<boolean> {
    const names = await table.ownerlessBlobs(this.#database);
    for (const name of names) {
      await this.#blobs.store.delete(name);
      await table.forgetBlob(this.#database, name);
    }
    return names.length > 0;
  }

  /** One part of the store at a time. */
  async #removeOrphans(): Promise<void> {
    const { blobs, next } = await this.#blobs.store.list(this.#from);
    this.#from = next;
    const old = this.#clock() - GRACE_MS;
    for (const { name, modifiedAt } of blobs) {
      if (modifiedAt < old && !(await table.isBlobKnown(this.#database, name))) await this.#blobs.store.delete(name);
    }
  }
}
