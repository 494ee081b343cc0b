/** Weighted FIFO semaphore that bounds the bytes in use (back-pressure). Requests beyond the budget wait in order. */
export class IntakeBudget {
  readonly #bytes: number;
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = [];
  #taken = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Takes bytes from the budget. Returns undefined if they are available now. Each `reserve` needs one `release`. */
  reserve(bytes: number): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      this.#taken += bytes;
      return undefined;
    }
    return new Promise((enter) => {
      this.#waiting.push({ bytes, enter });
    });
  }

  release(bytes: number): void {
    this.#taken -= bytes;
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#taken += next.bytes;
      next.enter();
    }
  }

  #fits(bytes: number): boolean {
    return this.#taken === 0 || this.#taken + bytes <= this.#bytes;
  }
}
