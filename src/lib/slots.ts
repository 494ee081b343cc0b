/**
 * Places for work that goes on at the same time: so many for all of it, and so many for what is alike. `Kind` is in which ways
 * work may be alike: it is of somebody, it goes to somebody.
 */
export class Slots<Kind extends string> {
  readonly #all: number;
  readonly #each: Readonly<Record<Kind, number>>;
  /** By kind and key. */
  readonly #taken: ReadonlyMap<Kind, Map<string, number>>;
  #inUse = 0;

  constructor(all: number, each: Readonly<Record<Kind, number>>) {
    this.#all = all;
    this.#each = each;
    this.#taken = new Map((Object.keys(each) as Kind[]).map((kind) => [kind, new Map()]));
  }

  /** How many are left. */
  get free(): number {
    return this.#all - this.#inUse;
  }

  /** The keys of that kind that have no place left. */
  full(kind: Kind): string[] {
    const taken = [...(this.#taken.get(kind) ?? [])];
    return taken.filter(([, count]) => count >= this.#each[kind]).map(([key]) => key);
  }

  /** What gives the place back, to be called once; undefined when there is none. */
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
