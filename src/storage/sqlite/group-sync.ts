import { databaseUnavailable } from '../errors.ts';
import { whenQuiet } from './when-quiet.ts';

interface Round {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Called when a sync starts and when it has succeeded. */
export interface SyncObserver {
  syncBegins(): void;
  syncEnds(): void;
}

/**
 * Makes commits durable in groups: a sync serves all commits from before its start. One sync runs at a time; commits
 * that arrive meanwhile wait for the next.
 */
export class GroupSync {
  readonly #sync: () => Promise<void>;
  readonly #observer: SyncObserver;
  readonly #report: (error: unknown) => void;
  #committed = 0;
  #durable = 0;
  #covered = 0;
  #running: Round | undefined;
  #next: Round | undefined;
  #failure: Error | undefined;

  constructor(sync: () => Promise<void>, observer: SyncObserver, report: (error: unknown) => void) {
    this.#sync = sync;
    this.#observer = observer;
    this.#report = report;
  }

  /** @throws AppError `unavailable` once a sync has failed */
  assertWritable(): void {
    if (this.#failure) throw databaseUnavailable(this.#failure);
  }

  /** Records a commit that is not durable yet. */
  committed(): void {
    this.#committed++;
  }

  /**
   * Resolves when all commits up to now are durable.
   * @param isGathered whether the caller has already waited for others
   * @throws AppError `unavailable` if the disk failed: the commits may be lost or not
   */
  durable(isGathered = false): Promise<void> {
    if (this.#committed === this.#durable) return Promise.resolve();
    if (this.#failure) return Promise.reject(databaseUnavailable(this.#failure));
    if (this.#running && this.#covered === this.#committed) return this.#running.promise;
    if (!this.#next) {
      this.#next = Promise.withResolvers<void>();
      // All requests of this turn share the sync, and those of the next turns while more arrive.
      if (!this.#running && !isGathered) whenQuiet(() => this.#committed, this.#begin);
    }
    const { promise } = this.#next;
    if (isGathered) this.#begin();
    return promise;
  }

  /**
   * Refuses all further commits. After a failed fsync the kernel may mark the lost pages as clean, so that the next
   * fsync would succeed without them: it is never retried.
   */
  fail(cause: unknown): void {
    if (this.#failure) return;
    this.#failure = new Error(
      'the disk failed to store a write; restart the server to continue with the data on the disk',
      { cause },
    );
    this.#running?.reject(databaseUnavailable(this.#failure));
    this.#next?.reject(databaseUnavailable(this.#failure));
    this.#report(this.#failure);
  }

  readonly #begin = (): void => {
    if (!this.#running) void this.#syncUntilDurable();
  };

  async #syncUntilDurable(): Promise<void> {
    while (this.#next && !this.#failure) {
      this.#running = this.#next;
      this.#next = undefined;
      this.#covered = this.#committed;
      this.#observer.syncBegins();
      await this.#sync().catch((error) => this.fail(error));
      if (this.#failure) return;
      this.#durable = this.#covered;
      this.#observer.syncEnds();
      this.#running.resolve();
      this.#running = undefined;
    }
  }
}
