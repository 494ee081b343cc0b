/** Turns in a row, each some 20 µs, before the event loop may go on. */
const TURNS_IN_A_ROW = 64;

/** Gives turns, one at a time, in the order in which they were asked for. */
export class Mutex {
  #taken = false;
  #turns = 0;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn. Whoever takes it gives it back with `release`, whatever happens. */
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
    // Turns that never wait would otherwise follow one another without an end, and nothing else would run.
    else if (++this.#turns % TURNS_IN_A_ROW === 0) setImmediate(next);
    else next();
  }
}
