import type { BackgroundTask, BackgroundWork, Leadership } from '../../lib/background/background-work.ts';
import { PeriodicTask } from '../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../lib/background/task-definition.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../database.ts';
import * as table from './blob-table.ts';
import type { Blobs } from './blobs.ts';

/** Grace period that exceeds any upload: a row may still be written for a younger blob. */
const GRACE_MS = 6 * 3_600_000;
/** Pause between two steps, so that other work can run; without work, the interval of checks. Milliseconds. */
const PAUSE = 100;
const REST = 3_600_000;

const HOUSEKEEPING: TaskDefinition = {
  name: 'blob-housekeeping',
  description: 'Deletes blobs that no row refers to.',
  runsOn: 'leader',
  period: REST,
};

/** Sweeps blobs left by crashes and deleted workspaces, in bounded steps. */
export class BlobHousekeeping implements BackgroundWork {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #clock: Clock;
  readonly #steps: PeriodicTask;
  #from: string | undefined;

  /** @param report called with errors; the step is retried later */
  constructor(database: Database, blobs: Blobs, clock: Clock, report: (error: unknown) => void) {
    this.#database = database;
    this.#blobs = blobs;
    this.#clock = clock;
    const step = async () => ((await this.step()) ? PAUSE : REST);
    this.#steps = new PeriodicTask({ task: HOUSEKEEPING, step, first: PAUSE, afterFailure: REST, report });
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#steps.tasks;
  }

  start(leadership?: Leadership): void {
    this.#steps.start(leadership);
  }

  /** Stops and waits for the current step to finish. */
  stop(): Promise<void> {
    return this.#steps.stop();
  }

  /** Runs one step. Returns true if there is more to do at once. */
  async step(): Promise<boolean> {
    const removed = await this.#removeOwnerless();
    await this.#removeOrphans();
    return removed || this.#from !== undefined;
  }

  /** Deletes the blob before its row, so that an interrupted step is repeated. */
  async #removeOwnerless(): Promise<boolean> {
    const names = await table.ownerlessBlobs(this.#database);
    for (const name of names) {
      await this.#blobs.store.delete(name);
      await table.forgetBlob(this.#database, name);
    }
    return names.length > 0;
  }

  /** Processes one page of the store at a time. */
  async #removeOrphans(): Promise<void> {
    const { blobs, next } = await this.#blobs.store.list(this.#from);
    this.#from = next;
    const old = this.#clock() - GRACE_MS;
    for (const { name, modifiedAt } of blobs) {
      if (modifiedAt < old && !(await table.isBlobKnown(this.#database, name))) await this.#blobs.store.delete(name);
    }
  }
}
