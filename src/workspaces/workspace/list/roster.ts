import { LRUCache } from 'lru-cache';
import { Bits } from './bits.ts';
import { Order } from './order.ts';
import { likeness } from './pattern.ts';
import type { SortKey } from './query.ts';

/** What of a workspace decides in which lists it is, and where. */
export interface Listed {
  readonly id: string;
  /** Begins with a tilde when it is deleted. */
  readonly name: string;
  readonly projectId: string;
  readonly changedAt: number;
  readonly runAt: number | null;
  readonly runStatus: string | null;
}

/** Searches by name, sets of projects, statuses. */
const KEPT_SETS = 50;

/** A set with what decides who is in it, so that it is kept right and not made anew. */
interface KeptSet {
  readonly has: (row: Listed, lower: string) => boolean;
  readonly bits: Bits;
}

/** All workspaces of an organization, by numbers that stay theirs: what is listed is a set of those. */
export class Roster {
  readonly #numbers = new Map<string, number>();
  readonly #rows: Listed[] = [];
  readonly #lower: string[] = [];
  readonly #orders = new Map<SortKey, Order>();
  readonly #sets = new LRUCache<string, KeptSet>({ max: KEPT_SETS });
  #there = new Bits();

  /** Takes over what has changed, or is new. */
  apply(rows: readonly Listed[]): void {
    for (const row of rows) this.#apply(row);
  }

  /** All numbers that were ever given. */
  get size(): number {
    return this.#rows.length;
  }

  /** Those that are not deleted. Not to be changed. */
  get there(): Bits {
    return this.#there;
  }

  idOf(number: number): string {
    return this.#rows[number]?.id ?? '';
  }

  /** Whoever is not known yet is left out. */
  ofIds(ids: readonly string[]): Bits {
    const numbers = ids.map((id) => this.#numbers.get(id)).filter((number) => number !== undefined);
    return Bits.of(numbers, this.size);
  }

  inProjects(ids: readonly string[]): Bits {
    if (ids.length === 0) return new Bits();
    const wanted = new Set(ids);
    return this.#kept(`in ${ids.join()}`, (row) => wanted.has(row.projectId));
  }

  like(pattern: string): Bits {
    const isLike = likeness(pattern);
    return this.#kept(`like ${pattern.toLowerCase()}`, (_, lower) => isLike(lower));
  }

  /** Those whose current run has one of the statuses, of which there is at least one. */
  ofStatuses(statuses: readonly string[]): Bits {
    const each = statuses.map((status) => this.#kept(`status ${status}`, (row) => row.runStatus === status));
    return each.reduce((one, other) => one.or(other));
  }

  /** The ids of one page of those that are chosen. */
  page(chosen: Bits, count: number, sort: SortKey, { offset, size }: { offset: number; size: number }): string[] {
    const isReversed = sort === '-name';
    const order = this.#orderBy(isReversed ? 'name' : sort);
    return order.page(chosen, count, this.#there, { offset, size, isReversed }).map((number) => this.idOf(number));
  }

  #apply(row: Listed): void {
    const number = this.#numbers.get(row.id) ?? this.#rows.length;
    const lower = row.name.toLowerCase();
    this.#numbers.set(row.id, number);
    this.#rows[number] = row;
    this.#lower[number] = lower;
    for (const { has, bits } of this.#sets.values()) put(bits, number, has(row, lower));
    put(this.#there, number, !row.name.startsWith('~'));
    for (const order of this.#orders.values()) order.touch(number);
  }

  #kept(key: string, has: KeptSet['has']): Bits {
    const known = this.#sets.get(key);
    if (known !== undefined) return known.bits;
    const bits = new Bits(this.size);
    for (const [number, row] of this.#rows.entries()) if (has(row, this.#lower[number] ?? '')) bits.add(number);
    this.#sets.set(key, { has, bits });
    return bits;
  }

  #orderBy(sort: SortKey): Order {
    const known = this.#orders.get(sort);
    if (known !== undefined) return known;
    const compare = comparison(sort);
    const rows = this.#rows;
    const order = new Order(this.#there.numbers(), (one, other) => {
      const [first, second] = [rows[one], rows[other]];
      return first === undefined || second === undefined ? 0 : compare(first, second);
    });
    this.#orders.set(sort, order);
    return order;
  }
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
