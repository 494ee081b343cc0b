import { STEPS_AT_ONCE } from '../../../lib/slices.ts';
import type { Bits } from './bits.ts';
import { type Compare, sorted } from './sorting.ts';

/** Cost of sorting one number, in numbers that could be scanned in the same time. */
const SORTING = 12;

/** Maximum number of changes to merge; beyond it, all members are sorted again. */
const MANY = STEPS_AT_ONCE;

/** A sorted list that is kept up to date: changed members are removed and inserted again. */
export class Order {
  readonly #compare: Compare;
  #sorted = new Uint32Array();
  #ranks = new Uint32Array();
  #changed = new Set<number>();
  /** Members that have changed since the running sort started. */
  #changedSince: Set<number> | undefined;
  #isSorted = false;
  #sorting: Promise<void> | undefined;

  /** @param compare compares the members by their current values */
  constructor(compare: Compare) {
    this.#compare = compare;
  }

  /** Marks a member as changed, added or removed. */
  touch(member: number): void {
    this.#changed.add(member);
    this.#changedSince?.add(member);
  }

  /** Whether a page can be returned without a full sort. */
  get isReady(): boolean {
    return this.#isSorted && this.#changed.size <= MANY;
  }

  /**
   * Sorts all members in slices; concurrent callers share one sort. The next page applies changes that happen during
   * the sort.
   * @param compareNow compares by the values at the time of the call, regardless of later changes
   */
  sort(there: Bits, compareNow: () => Compare): Promise<void> {
    this.#sorting ??= this.#sortAll(there.numbers(), compareNow()).finally(() => {
      this.#sorting = undefined;
    });
    return this.#sorting;
  }

  async #sortAll(members: readonly number[], compare: Compare): Promise<void> {
    const since = new Set<number>();
    this.#changedSince = since;
    this.#sorted = await sorted(members, compare);
    this.#changed = since;
    this.#changedSince = undefined;
    this.#rank();
    this.#isSorted = true;
  }

  /**
   * Returns `size` of the chosen members from `offset`, in this order or reversed. `count` is the number of chosen
   * members.
   */
  page(
    chosen: Bits,
    count: number,
    there: Bits,
    page: { offset: number; size: number; isReversed: boolean },
  ): number[] {
    this.#bringUpToDate(there);
    const { offset, size } = page;
    if (offset >= count) return [];
    const steps = ((offset + size) / count) * this.#sorted.length;
    return count * SORTING < steps ? this.#sortChosen(chosen, page) : this.#walk(chosen, page);
  }

  #sortChosen(
    chosen: Bits,
    { offset, size, isReversed }: { offset: number; size: number; isReversed: boolean },
  ): number[] {
    const ranks = Uint32Array.from(chosen.numbers(), (member) => this.#ranks[member] ?? 0).sort();
    if (isReversed) ranks.reverse();
    return Array.from(ranks.subarray(offset, offset + size), (rank) => this.#sorted[rank] ?? 0);
  }

  #walk(chosen: Bits, { offset, size, isReversed }: { offset: number; size: number; isReversed: boolean }): number[] {
    const sorted = this.#sorted;
    const found: number[] = [];
    let skipped = 0;
    for (let step = 0; step < sorted.length && found.length < size; step++) {
      const member = sorted[isReversed ? sorted.length - 1 - step : step] ?? 0;
      if (!chosen.has(member)) continue;
      if (skipped < offset) skipped++;
      else found.push(member);
    }
    return found;
  }

  #bringUpToDate(there: Bits): void {
    if (this.#changed.size === 0) return;
    const changed = this.#changed;
    this.#changed = new Set();
    const stayed = this.#without(changed);
    const came = [...changed].filter((member) => there.has(member)).sort(this.#compare);
    this.#sorted = merged(stayed, came, this.#compare);
    this.#rank();
  }

  #without(members: ReadonlySet<number>): Uint32Array {
    const placement = [...members].map((member) => this.#ranks[member] ?? 0);
    const left = [...new Set(placement)].filter((place) => members.has(this.#sorted[place] ?? -1));
    const stayed = new Uint32Array(this.#sorted.length - left.length);
    let [read, written] = [0, 0];
    for (const place of [...left.sort((one, other) => one - other), this.#sorted.length]) {
      stayed.set(this.#sorted.subarray(read, place), written);
      written += place - read;
      read = place + 1;
    }
    return stayed;
  }

  #rank(): void {
    let most = -1;
    for (const member of this.#sorted) if (member > most) most = member;
    const ranks = new Uint32Array(most + 1);
    for (let rank = 0; rank < this.#sorted.length; rank++) ranks[this.#sorted[rank] ?? 0] = rank;
    this.#ranks = ranks;
  }
}

/** Merges few into many: a binary search finds the place of each. */
function merged(many: Uint32Array, few: readonly number[], compare: Compare) {
  const all = new Uint32Array(many.length + few.length);
  let [read, written] = [0, 0];
  for (const member of few) {
    const place = placeOf(member, many, read, compare);
    all.set(many.subarray(read, place), written);
    written += place - read;
    all[written++] = member;
    read = place;
  }
  all.set(many.subarray(read), written);
  return all;
}

function placeOf(member: number, among: Uint32Array, from: number, compare: Compare) {
  let [first, last] = [from, among.length];
  while (first < last) {
    const middle = (first + last) >>> 1;
    if (compare(among[middle] ?? 0, member) < 0) first = middle + 1;
    else last = middle;
  }
  return first;
}
