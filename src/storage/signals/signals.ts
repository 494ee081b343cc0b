import type { Transaction } from '../database.ts';

/** Publish/subscribe between all nodes on one database: notifies listeners that something may have happened. */
export interface Signals {
  /**
   * Sends a signal after the commit of the transaction; not after a rollback.
   * @param topic at most 200 bytes
   */
  send(tx: Transaction, topic: string): void;
  /**
   * Adds a listener. It may be called late and more often than signals were sent, so it must check the state itself. A
   * listener that checks after it was added misses nothing.
   * @returns a function that removes it
   */
  listen(topic: string, listener: () => void): () => void;
  /**
   * Receives every topic with this prefix, once for each signal; signals sent while the connection is down are lost.
   * @param heard called with the rest of the topic
   * @returns a function that removes it
   */
  listenToPrefix(prefix: string, heard: (rest: string) => void): () => void;
  close(): Promise<void>;
}

/** Registry of listeners by topic. */
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

  /** Calls all listeners, because signals may have been missed. */
  notifyAll(): void {
    for (const topic of [...this.#byTopic.keys()]) this.notify(topic);
  }
}

/** Signals within one process, which is enough on SQLite. */
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
