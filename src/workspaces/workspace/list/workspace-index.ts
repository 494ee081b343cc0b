import { LRUCache } from 'lru-cache';
import { eachInSlices } from '../../../lib/slices.ts';
import { Bits } from './bits.ts';
import { Order } from './order.ts';
import { likeness, type NamePattern } from './pattern.ts';
import type { SortKey } from './query.ts';
import type { Compare } from './sorting.ts';

/** What of a workspace decides in which lists it is, and where. */
export interface Listed {
  readonly id: string;
  /** Begins with a tilde when it is deleted. */
  readonly name: string;
  readonly projectId: string;
  readonly changedAt: number;
  readonly runAt: number | null;
  readonly runStatus: string | null;
  /** What it says for itself; null for what its project or organization says. */
  readonly mode: string | null;
  readonly engine: string | null;
  readonly engineVersion: string;
  readonly hasState: number;
}

/** What there are few values of: a set is kept for each that is asked for. */
type Valued = 'runStatus' | 'mode' | 'engine' | 'engineVersion' | 'hasState';

/** Searches by name, sets of projects, statuses. */
const KEPT_SETS = 50;

/** A set with what decides who is in it, so that it is kept right and not made anew. */
interface CachedSet {
  readonly has: (row: Listed, lower: string) => boolean;
  readonly bits: Bits;
  /** Resolves once everybody has been looked at. */
  readonly made: Promise<void>;
}

/**
 * All workspaces of an organization, by numbers that stay theirs: what is listed is a set of those. Sets and orders are made
 * when first asked for, in slices. What changes meanwhile is put right in them, so that they are as of `version` when done.
 */
export class WorkspaceIndex {
  readonly #numbers = new Map<string, number>();
  readonly #rows: Listed[] = [];
  readonly #lower: string[] = [];
  readonly #orders = new Map<SortKey, Order>();
  readonly #sets = new LRUCache<string, CachedSet>({ max: KEPT_SETS });
  readonly #statuses = new Set<string>();
  readonly #texts = new Map<string, string>();
  #there = new Bits();
  #version = 0;

  /** Takes over what has changed, or is new: a little at once, much in slices. */
  apply(rows: readonly Listed[]): Promise<void> {
    return eachInSlices(rows.length, (index) => {
      const row = rows[index];
      if (row !== undefined) this.#apply(row);
    });
  }

  /** Another number whenever something has changed. */
  get version(): number {
    return this.#version;
  }

  /** All numbers that were ever given. */
  get size(): number {
    return this.#rows.length;
  }

  /** Those that are not deleted. Not to be changed. */
  get all(): Bits {
    return this.#there;
  }

  idOf(number: number): string {
    return this.#rows[number]?.id ?? '';
  }

  /** The ids of so many, from a number on. */
  idsFrom(first: number, count: number): string[] {
    return this.#rows.slice(first, first + count).map(({ id }) => id);
  }

  /** Undefined for whoever is not known yet. */
  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  async inProjects(ids: readonly string[]): Promise<Bits> {
    if (ids.length === 0) return new Bits();
    const wanted = new Set(ids);
    return this.#cachedSet(`in ${ids.join()}`, (row) => wanted.has(row.projectId));
  }

  like(pattern: NamePattern): Promise<Bits> {
    const isLike = likeness(pattern);
    return this.#cachedSet(`like ${JSON.stringify(pattern).toLowerCase()}`, (_, lower) => isLike(lower));
  }

  /** Those that have one of the values. */
  async having<Name extends Valued>(name: Name, values: readonly Listed[Name][]): Promise<Bits> {
    const each = values.map((value) => this.#cachedSet(`${name} ${value}`, (row) => row[name] === value));
    return (await Promise.all(each)).reduce((one, other) => one.or(other), new Bits());
  }

  /** Of current runs, those that were ever seen. */
  get statuses(): readonly string[] {
    return [...this.#statuses];
  }

  /** Has them in order, for `page`. */
  async order(sort: SortKey): Promise<void> {
    const key = sort === '-name' ? 'name' : sort;
    let order = this.#orders.get(key);
    if (order === undefined) {
      order = new Order(this.#comparison(key, this.#rows));
      this.#orders.set(key, order);
    }
    // Sorted by what they are now, since what is compared must not change meanwhile.
    if (!order.isReady) await order.sort(this.#there, () => this.#comparison(key, this.#rows.slice()));
  }

  /** The ids of one page of those that are chosen, once they are in order. */
  page(chosen: Bits, count: number, sort: SortKey, { offset, size }: { offset: number; size: number }): string[] {
    const isReversed = sort === '-name';
    const order = this.#orders.get(isReversed ? 'name' : sort);
    const found = order?.page(chosen, count, this.#there, { offset, size, isReversed }) ?? [];
    return found.map((number) => this.idOf(number));
  }

  #apply(row: Listed): void {
    const number = this.#numbers.get(row.id) ?? this.#rows.length;
    // Some are told of more than once.
    if (isAlike(row, this.#rows[number])) return;
    this.#version++;
    const lower = row.name.toLowerCase();
    this.#numbers.set(row.id, number);
    this.#rows[number] = { ...row, engineVersion: this.#once(row.engineVersion) };
    if (row.runStatus !== null) this.#statuses.add(row.runStatus);
    this.#lower[number] = lower;
    for (const { has, bits } of this.#sets.values()) put(bits, number, has(row, lower));
    put(this.#there, number, !row.name.startsWith('~'));
    for (const order of this.#orders.values()) order.touch(number);
  }

  /** The same text for all that have it: a database makes one for each row. */
  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }

  /** What changes before it is made is in `#sets` already, and put right there. */
  async #cachedSet(key: string, has: CachedSet['has']): Promise<Bits> {
    let set = this.#sets.get(key);
    if (set === undefined) {
      const bits = new Bits(this.size);
      const look = (number: number) => {
        const row = this.#rows[number];
        if (row !== undefined && has(row, this.#lower[number] ?? '')) bits.add(number);
      };
      set = { has, bits, made: eachInSlices(this.size, look) };
      this.#sets.set(key, set);
    }
    await set.made;
    return set.bits;
  }

  #comparison(sort: SortKey, rows: readonly Listed[]): Compare {
    const compare = comparison(sort);
    return (one, other) => {
      const [first, second] = [rows[one], rows[other]];
      return first === undefined || second === undefined ? 0 : compare(first, second);
    };
  }
}

const DECIDING = [
  ...['name', 'projectId', 'changedAt', 'runAt', 'runStatus'],
  ...['mode', 'engine', 'engineVersion', 'hasState'],
] as readonly (keyof Listed)[];

function isAlike(one: Listed, other: Listed | undefined): boolean {
  if (other === undefined) return false;
  return DECIDING.every((name) => one[name] === other[name]);
}

function put(bits: Bits, number: number, isIn: boolean): void {
  if (isIn) bits.add(number);
  else bits.delete(number);
}

const byName = (one: Listed, other: Listed): number => Number(one.name > other.name) - Number(one.name < other.name);

/** As SORTS say it in SQL: those without a run come last in either order, and equals by name. */
function comparison(sort: SortKey): (one: Listed, other: Listed) => number {
  switch (sort) {
    case 'latest-change-at':
      return (one, other) => one.changedAt - other.changedAt || byName(one, other);
    case '-latest-change-at':
      return (one, other) => other.changedAt - one.changedAt || byName(one, other);
    case 'current-run.created-at':
      return (one, other) => (one.runAt ?? LAST) - (other.runAt ?? LAST) || byName(one, other);
    case '-current-run.created-at':
      return (one, other) => (other.runAt ?? 0) - (one.runAt ?? 0) || byName(one, other);
    default:
      return byName;
  }
}

const LAST = Number.MAX_SAFE_INTEGER;
