import type { BackgroundTask, BackgroundWork, Leadership } from '../../lib/background/background-work.ts';
import { PeriodicTask } from '../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../lib/background/task-definition.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../database.ts';
import { DRAFT_LIFE_MS } from './blob-draft.ts';
import type { BlobStore } from './blob-store.ts';
import * as table from './blob-table.ts';

/**
 * Age at which bytes without a row are removed. `BlobWriter.keep` refuses drafts of half this age, so that no later
 * transaction can name them, even if the clocks of server and store differ.
 */
const GRACE_MS = 2 * DRAFT_LIFE_MS;
/** Pause between two steps, so that other work can run; without work, the interval of checks. Milliseconds. */
const PAUSE = 100;
const REST = 3_600_000;

const HOUSEKEEPING: TaskDefinition = {
  name: 'blob-housekeeping',
  description: 'Deletes blobs that no row refers to.',
  runsOn: 'leader',
  period: REST,
};

/** Sweeps blobs left by crashes and deleted owners, in bounded steps. */
export class BlobHousekeeping implements BackgroundWork {
  readonly #database: Database;
  readonly #store: BlobStore;
  readonly #clock: Clock;
  readonly #steps: PeriodicTask;
  #from: string | undefined;

  /** @param report called with errors; the step is retried later */
  constructor(database: Database, store: BlobStore, clock: Clock, report: (error: unknown) => void) {
    this.#database = database;
    this.#store = store;
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

  /** Removes some blobs of an owner that is being deleted. Returns false if none are left. */
  async removeSome(owner: table.BlobOwner): Promise<boolean> {
    return this.#removeNamed(await table.blobsOfOwner(this.#database, owner));
  }

  async #removeOwnerless(): Promise<boolean> {
    return this.#removeNamed(await table.ownerlessBlobs(this.#database));
  }

  /** Deletes each blob before its row, so that an interrupted step is repeated. */
  async #removeNamed(names: readonly string[]): Promise<boolean> {
    for (const name of names) {
      await this.#store.delete(name);
      await table.forgetBlob(this.#database, name);
    }
    return names.length > 0;
  }

  /** Processes one page of the store at a time. */
  async #removeOrphans(): Promise<void> {
    const { blobs, next } = await this.#store.list(this.#from);
    this.#from = next;
    const old = this.#clock() - GRACE_MS;
    for (const { name, modifiedAt } of blobs) {
      if (modifiedAt < old && !(await table.isBlobKnown(this.#database, name))) await this.#store.delete(name);
    }
  }
}
