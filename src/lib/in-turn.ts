/** Runs work with equal keys one after the other, in the order of the calls. Work with different keys runs side by side. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after the earlier work with this key, whether that succeeds or fails. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    const forget = () => {
      if (this.#last.get(key) === result) this.#last.delete(key);
    };
    this.#last.set(key, result);
    void result.then(forget, forget);
    return result;
  }
}
