import { setImmediate } from 'node:timers/promises';

/** Milliseconds that a piece of long work takes before everything else gets its turn. */
const SLICE_MS = 4;
/** So many steps of long work are done at once, without waiting for a turn: they take a few milliseconds at most. */
export const STEPS_AT_ONCE = 2000;
/** Steps between two looks at the clock. */
const STEPS_BETWEEN_LOOKS = 250;

let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop that is the caller's alone: whoever has long work to do asks before each piece of it.
 * However many do at a time, one turn has one piece, and everything else that is ready runs in between.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}

/** Does `count` steps, by number: a few at once, many in slices of SLICE_MS, each in a turn of its own. */
export async function inSlices(count: number, step: (number: number) => void): Promise<void> {
  let done = 0;
  const upTo = (end: number) => {
    for (; done < end; done++) step(done);
  };
  if (count <= STEPS_AT_ONCE) return upTo(count);
  while (done < count) {
    await nextTurn();
    const end = performance.now() + SLICE_MS;
    do upTo(Math.min(done + STEPS_BETWEEN_LOOKS, count));
    while (done < count && performance.now() < end);
  }
}
