/** Gives turns, one at a time, in the order in which they were asked for. */
export class Mutex {
  #taken = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn. Whoever takes it gives it back with `release`, whatever happens. */
  async take(): Promise<void> {
    if (!this.#taken) {
      this.#taken = true;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }
}
