import type { Transaction } from '../database.ts';

/** Tells those who wait for something that it may have happened, on every node that shares the database. */
export interface Signals {
  /** Told once the unit of work is committed; not at all when it is rolled back. @param topic at most 200 bytes */
  send(tx: Transaction, topic: string): void;
  /**
   * `listener` may be called more often than something was sent, and late: it looks for itself. A listener that looks after it was
   * added misses nothing.
   * @returns ends it
   */
  listen(topic: string, listener: () => void): () => void;
  close(): Promise<void>;
}

/** Who listens to what. */
export class Listeners {
  readonly #byTopic = new Map<string, Set<() => void>>();

  add(topic: string, listener: () => void): () => void {
    const listeners = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byTopic.get(topic) === listeners) this.#byTopic.delete(topic);
    };
  }

  tell(topic: string): void {
    for (const listener of this.#byTopic.get(topic) ?? []) listener();
  }

  /** Something may have been missed. */
  tellAll(): void {
    for (const topic of [...this.#byTopic.keys()]) this.tell(topic);
  }
}

/** Within one process, which is all that there is on SQLite. */
export class LocalSignals implements Signals {
  readonly #listeners = new Listeners();

  send(tx: Transaction, topic: string): void {
    tx.afterCommit(() => this.#listeners.tell(topic));
  }

  listen(topic: string, listener: () => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  async close(): Promise<void> {}
}
