/** So many bytes at a time; who wants more waits, in order. */
export class IntakeBudget {
  readonly #bytes: number;
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = [];
  #taken = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Undefined when there is room now. Each `take` is followed by one `give`. */
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
