import { LRUCache } from 'lru-cache';
import { eachInSlices } from '../../../lib/slices.ts';
import { Bits } from './bits.ts';
import { Order } from './order.ts';
import { likeness, type NamePattern } from './pattern.ts';
import type { SortKey } from './query.ts';
import type { Compare } from './sorting.ts';

/** Columns that decide in which lists a workspace is, and at which position. */
export interface Listed {
  readonly id: string;
  /** Starts with a tilde if the workspace is deleted. */
  readonly name: string;
  readonly projectId: string;
  readonly changedAt: number;
  readonly runAt: number | null;
  readonly runStatus: string | null;
  /** The workspace's own settings; null if it inherits from its project or organization. */
  readonly mode: string | null;
  readonly engine: string | null;
  readonly engineVersion: string;
  readonly hasState: number;
}

/** Columns with few distinct values. Each requested value has a cached set. */
type Valued = 'runStatus' | 'mode' | 'engine' | 'engineVersion' | 'hasState';

/** Number of cached sets of name patterns, projects and statuses. */
const KEPT_SETS = 50;

/** A set with its membership condition, by which changes update it. */
interface CachedSet {
  readonly has: (row: Listed, lower: string) => boolean;
  readonly bits: Bits;
  /** Resolves when all workspaces have been checked. */
  readonly made: Promise<void>;
}

/**
 * In-memory index of all workspaces of an organization. Each has a permanent number, and a list is a bit set of
 * numbers. Sets and orders are built on first use, in slices; changes in the meantime are applied to them, so that
 * they match `version` when done.
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

  /** Applies new and changed rows; many are applied in slices. */
  apply(rows: readonly Listed[]): Promise<void> {
    return eachInSlices(rows.length, (index) => {
      const row = rows[index];
      if (row !== undefined) this.#apply(row);
    });
  }

  /** Number that changes with each applied change. */
  get version(): number {
    return this.#version;
  }

  /** Number of assigned numbers, including those of deleted workspaces. */
  get size(): number {
    return this.#rows.length;
  }

  /** Workspaces that are not deleted. Callers must not modify the set. */
  get all(): Bits {
    return this.#there;
  }

  idOf(number: number): string {
    return this.#rows[number]?.id ?? '';
  }

  /** Returns `count` ids from a number on. */
  idsFrom(first: number, count: number): string[] {
    return this.#rows.slice(first, first + count).map(({ id }) => id);
  }

  /** Returns the number of a workspace, or undefined if the index does not contain it. */
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

  /** Returns the workspaces that have one of the values. */
  async having<Name extends Valued>(name: Name, values: readonly Listed[Name][]): Promise<Bits> {
    const each = values.map((value) => this.#cachedSet(`${name} ${value}`, (row) => row[name] === value));
    return (await Promise.all(each)).reduce((one, other) => one.or(other), new Bits());
  }

  /** All statuses of current runs that the index has ever seen. */
  get statuses(): readonly string[] {
    return [...this.#statuses];
  }

  /** Builds the order of a sort key, which `page` needs. */
  async order(sort: SortKey): Promise<void> {
    const key = sort === '-name' ? 'name' : sort;
    let order = this.#orders.get(key);
    if (order === undefined) {
      order = new Order(this.#comparison(key, this.#rows));
      this.#orders.set(key, order);
    }
    // Compares copies of the values, because values must not change during a sort.
    if (!order.isReady) await order.sort(this.#there, () => this.#comparison(key, this.#rows.slice()));
  }

  /** Returns the ids of one page of the chosen workspaces. Call `order` first. */
  page(chosen: Bits, count: number, sort: SortKey, { offset, size }: { offset: number; size: number }): string[] {
    const isReversed = sort === '-name';
    const order = this.#orders.get(isReversed ? 'name' : sort);
    const found = order?.page(chosen, count, this.#there, { offset, size, isReversed }) ?? [];
    return found.map((number) => this.idOf(number));
  }

  #apply(row: Listed): void {
    const number = this.#numbers.get(row.id) ?? this.#rows.length;
    // A refresh may return an unchanged row again.
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

  /** Interns the string: database drivers allocate one for each row. */
  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }

  /** The set is in `#sets` from the start, so changes during the build are applied to it. */
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

/** Matches SORTS in SQL: workspaces without a run come last in either direction, and the name breaks ties. */
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
