/** Coalesces concurrent work: callers with the same key share one execution. Results are not cached afterwards. */
export class SharedWork<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** Runs `work`, or returns the result of the run that is already in progress for this key. */
  once(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running) return running;
    const begun = work().finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }
}
