/** Work that several want at the same moment is done once for all of them. Nothing is kept afterwards. */
export class SharedWork<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** What `work` comes to, or what it comes to for whoever began it under this key before. */
  once(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running) return running;
    const begun = work().finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }
}
