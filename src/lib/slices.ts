import { setImmediate } from 'node:timers';

/**
 * Milliseconds that all long works together may take of one turn of the event loop.
 * @limit long work in one turn of the event loop, all together, ms -> others have their turn
 */
export const SLICE_MS = 2;

/** Work in small steps, of some tens of microseconds each: it yields after each and returns what came of it. */
export type Steps<T> = Generator<undefined, T, undefined>;

const waiting: (() => void)[] = [];
let sliceBegan = 0;

/** All of it now: where it is known to be little, or nobody waits. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** All of it, in slices between which everything else that is ready runs. */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const turn = yieldIfDue();
    if (turn) await turn;
  }
}

/** So many steps by number are done at once, without waiting for a turn: they take a few milliseconds at most. */
export const STEPS_AT_ONCE = 2000;
/** Steps by number between two looks at the clock. */
const STEPS_BETWEEN_LOOKS = 250;

/** Does `count` steps, by number: a few at once, many in slices. */
export async function eachInSlices(count: number, step: (number: number) => void): Promise<void> {
  const isLong = count > STEPS_AT_ONCE;
  if (isLong) await nextTurn();
  for (let done = 0; done < count; done++) {
    if (isLong && done % STEPS_BETWEEN_LOOKS === 0) await yieldIfDue();
    step(done);
  }
}

/**
 * To be asked after each small step of long work: undefined while its slice lasts, otherwise what to wait for. Several long
 * works take turns, so that together they hold up others no longer than one alone, and a short one does not wait for the
 * whole of a long one.
 */
export function yieldIfDue(): Promise<void> | undefined {
  return waiting.length === 0 && performance.now() - sliceBegan < SLICE_MS ? undefined : nextTurn();
}

/** Before each of several works that begin at the same moment, and of which none is cut into slices. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(nextSlice);
  });
}

function nextSlice(): void {
  sliceBegan = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(nextSlice);
}
