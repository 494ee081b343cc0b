/**
 * Milliseconds that whoever came first waits for others.
 * @limit how long a write waits for others that come with it, ms -> it is stored without them
 */
const LONGEST_WAIT = 2;

/**
 * Calls back at the end of the first turn of the event loop in which nothing was added: whatever comes in a burst is served
 * together, and what comes alone goes on at once.
 * @param count of what has been added up to now
 */
export function whenQuiet(count: () => number, then: () => void): void {
  const since = performance.now();
  let seen = 0;
  // What is added together is no reason to wait for more.
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
