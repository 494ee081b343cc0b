/**
 * Semaphore with a total limit and a limit for each key of a kind. `Kind` lists the properties by which work is
 * limited, such as its owner and its destination.
 */
export class Slots<Kind extends string> {
  readonly #all: number;
  readonly #each: Readonly<Record<Kind, number>>;
  /** Taken slots by kind and key. */
  readonly #taken: ReadonlyMap<Kind, Map<string, number>>;
  #inUse = 0;

  constructor(all: number, each: Readonly<Record<Kind, number>>) {
    this.#all = all;
    this.#each = each;
    this.#taken = new Map((Object.keys(each) as Kind[]).map((kind) => [kind, new Map()]));
  }

  /** Number of free slots. */
  get free(): number {
    return this.#all - this.#inUse;
  }

  /** Returns the keys of a kind that have no free slot. */
  full(kind: Kind): string[] {
    const taken = [...(this.#taken.get(kind) ?? [])];
    return taken.filter(([, count]) => count >= this.#each[kind]).map(([key]) => key);
  }

  /** Takes a slot. Returns the function that releases it, to be called once; undefined if no slot is free. */
  acquire(keys: Readonly<Record<Kind, string>>): (() => void) | undefined {
    const kinds = [...this.#taken.keys()];
    if (this.free <= 0 || kinds.some((kind) => this.#count(kind, keys[kind]) >= this.#each[kind])) return undefined;
    this.#inUse++;
    for (const kind of kinds) this.#change(kind, keys[kind], 1);
    return () => {
      this.#inUse--;
      for (const kind of kinds) this.#change(kind, keys[kind], -1);
    };
  }

  #count(kind: Kind, key: string): number {
    return this.#taken.get(kind)?.get(key) ?? 0;
  }

  #change(kind: Kind, key: string, by: 1 | -1): void {
    const count = this.#count(kind, key) + by;
    if (count > 0) this.#taken.get(kind)?.set(key, count);
    else this.#taken.get(kind)?.delete(key);
  }
}
