/**
 * Maximum delay of the first write, milliseconds.
 * @limit delay of a write for the group commit, ms -> it is stored with the writes so far
 */
const LONGEST_WAIT = 2;

/**
 * Debounces: calls back at the end of the first turn of the event loop in which nothing was added. A burst is served
 * together, and a single write without a delay.
 * @param count number of writes added up to now
 */
export function whenQuiet(count: () => number, then: () => void): void {
  const since = performance.now();
  let seen = 0;
  // Writes added in the same microtask run are no reason to wait for more.
  queueMicrotask(() => {
    seen = count();
  });
  const look = (): void => {
    const now = count();
    const isQuiet = now === seen || performance.now() - since >= LONGEST_WAIT;
    seen = now;
    if (isQuiet) then();
    else setImmediate(look);
  };
  setImmediate(look);
}
