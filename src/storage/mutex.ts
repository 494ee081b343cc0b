/** Number of consecutive holders, each about 20 µs, before the event loop runs. */
const TURNS_IN_A_ROW = 64;

/** Fair mutex: callers get it one at a time, in the order of their requests. */
export class Mutex {
  #taken = false;
  #turns = 0;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when the caller holds the mutex. The caller must always call `release`. */
  async acquire(): Promise<void> {
    if (!this.#taken) {
      this.#taken = true;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    const next = this.#waiting.shift();
    if (!next) this.#taken = false;
    // Holders that never wait would otherwise follow one another forever and block the event loop.
    else if (++this.#turns % TURNS_IN_A_ROW === 0) setImmediate(next);
    else next();
  }
}
