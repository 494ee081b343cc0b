import { setImmediate } from 'node:timers';

/**
 * Time slice of the event loop for all long computations in total, milliseconds.
 * @limit total time of long computations in one turn of the event loop, ms -> other requests run before they continue
 */
export const SLICE_MS = 2;

/** A computation in small steps of some tens of microseconds each: it yields after each step and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

const waiting: (() => void)[] = [];
let sliceBegan = 0;

/** Runs all steps now. For small computations, or if no request waits. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs all steps in time slices. Everything else that is ready runs between the slices. */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const turn = yieldIfDue();
    if (turn) await turn;
  }
}

/** Number of numbered steps that run at once without waiting: they take a few milliseconds at most. */
export const STEPS_AT_ONCE = 2000;
/** Number of numbered steps between two checks of the clock. */
const STEPS_BETWEEN_LOOKS = 250;

/**
 * Runs `count` numbered steps: a few at once, many in time slices.
 * @param weight number of simple steps that one step may cost
 */
export async function eachInSlices(count: number, step: (number: number) => void, weight = 1): Promise<void> {
  const isLong = count * weight > STEPS_AT_ONCE;
  const betweenLooks = Math.max(1, Math.floor(STEPS_BETWEEN_LOOKS / weight));
  if (isLong) await nextTurn();
  for (let done = 0; done < count; done++) {
    if (isLong && done % betweenLooks === 0) await yieldIfDue();
    step(done);
  }
}

/**
 * Cooperative scheduling of long computations, to be called after each small step. Returns undefined while the time
 * slice lasts, otherwise a promise to wait for. Concurrent computations take turns: in total they block other requests
 * no longer than a single one, and a short computation does not wait for a long one to finish.
 */
export function yieldIfDue(): Promise<void> | undefined {
  return waiting.length === 0 && performance.now() - sliceBegan < SLICE_MS ? undefined : nextTurn();
}

/** Call this before each of several computations that start at the same moment and do not use time slices. */
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
