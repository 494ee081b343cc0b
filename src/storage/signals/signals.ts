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
  /**
   * Hears of every topic that begins so, once for each time that one was sent; what was sent while nobody could hear is lost.
   * @param heard told the rest of the topic
   * @returns ends it
   */
  listenToPrefix(prefix: string, heard: (rest: string) => void): () => void;
  close(): Promise<void>;
}

/** Who listens to what. */
export class Listeners {
  readonly #byTopic = new Map<string, Set<() => void>>();
  readonly #byPrefix = new Set<{ readonly prefix: string; readonly heard: (rest: string) => void }>();

  add(topic: string, listener: () => void): () => void {
    const listeners = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byTopic.get(topic) === listeners) this.#byTopic.delete(topic);
    };
  }

  addPrefixListener(prefix: string, heard: (rest: string) => void): () => void {
    const one = { prefix, heard };
    this.#byPrefix.add(one);
    return () => this.#byPrefix.delete(one);
  }

  notify(topic: string): void {
    for (const { prefix, heard } of this.#byPrefix) if (topic.startsWith(prefix)) heard(topic.slice(prefix.length));
    for (const listener of this.#byTopic.get(topic) ?? []) listener();
  }

  /** Something may have been missed. */
  notifyAll(): void {
    for (const topic of [...this.#byTopic.keys()]) this.notify(topic);
  }
}

/** Within one process, which is all that there is on SQLite. */
export class LocalSignals implements Signals {
  readonly #listeners = new Listeners();

  send(tx: Transaction, topic: string): void {
    tx.afterCommit(() => this.#listeners.notify(topic));
  }

  listen(topic: string, listener: () => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  listenToPrefix(prefix: string, heard: (rest: string) => void): () => void {
    return this.#listeners.addPrefixListener(prefix, heard);
  }

  async close(): Promise<void> {}
}
