import { eachInSlices, STEPS_AT_ONCE } from '../../../lib/slices.ts';

/** Comparison function. Returns a negative number, zero or a positive number, as for `Array.sort`. */
export type Compare = (one: number, other: number) => number;

/** Length of the runs that are sorted before merging. Each takes some tenths of a millisecond. */
const RUN = 256;

/**
 * Sorts numbers: few at once, many by a merge sort in slices. `compare` must be stable meanwhile.
 * @param weight number of simple comparisons that one may cost
 */
export async function sorted(
  numbers: readonly number[],
  compare: Compare,
  weight = 1,
): Promise<Uint32Array<ArrayBuffer>> {
  if (numbers.length * weight <= STEPS_AT_ONCE) return Uint32Array.from([...numbers].sort(compare));
  let from = new Uint32Array(numbers.length);
  let to = new Uint32Array(numbers.length);
  const run = Math.max(2, Math.floor(RUN / weight));
  const runs = Math.ceil(numbers.length / run);
  await eachInSlices(runs, (at) => from.set(numbers.slice(at * run, (at + 1) * run).sort(compare), at * run), RUN);
  for (let length = run; length < numbers.length; length *= 2) {
    await mergePairs(from, to, length, compare, weight);
    [from, to] = [to, from];
  }
  return from;
}

/** Merges pairs of neighbouring sorted runs of `length` each. */
async function mergePairs(
  from: Uint32Array,
  to: Uint32Array,
  length: number,
  compare: Compare,
  weight: number,
): Promise<void> {
  let [left, right] = [0, 0];
  const step = (place: number): void => {
    const first = place - (place % (2 * length));
    if (place === first) [left, right] = [first, first + length];
    const leftEnd = Math.min(first + length, from.length);
    const rightEnd = Math.min(first + 2 * length, from.length);
    const takesLeft =
      right >= rightEnd || (left < leftEnd && compare(from[left] as number, from[right] as number) <= 0);
    to[place] = from[takesLeft ? left++ : right++] as number;
  };
  await eachInSlices(from.length, step, weight);
}
