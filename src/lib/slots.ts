/** Places for work that goes on at the same time: so many for all, and so many for each of the keys that the work has. */
export class Slots {
  readonly #all: number;
  readonly #each: number;
  readonly #taken = new Map<string, number>();
  #inUse = 0;

  constructor(all: number, each: number) {
    this.#all = all;
    this.#each = each;
  }

  /** How many are left. */
  get free(): number {
    return this.#all - this.#inUse;
  }

  /** Those of the keys, without their prefix, that have no place left. */
  full(prefix: string): string[] {
    const keys = [...this.#taken].filter(([key, count]) => key.startsWith(prefix) && count >= this.#each);
    return keys.map(([key]) => key.slice(prefix.length));
  }

  /** What gives the place back, to be called once; undefined when there is none. */
  take(...keys: readonly string[]): (() => void) | undefined {
    if (this.free <= 0 || keys.some((key) => (this.#taken.get(key) ?? 0) >= this.#each)) return undefined;
    this.#inUse++;
    for (const key of keys) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    return () => {
      this.#inUse--;
      for (const key of keys) this.#lessen(key);
    };
  }

  #lessen(key: string): void {
    const left = (this.#taken.get(key) ?? 0) - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}
