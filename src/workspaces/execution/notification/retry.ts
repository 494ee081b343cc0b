const HOUR = 3_600_000;

/** @limit tries of one notification, tries -> it is given up */
const MOST_TRIES = 10;
/** @limit the time that a notification waits to be sent, ms -> it is given up */
const LONGEST_WAIT = 6 * HOUR;

/** Whether so many tries are enough. */
export function isGivenUp(tries: number): boolean {
  return tries >= MOST_TRIES;
}

/** What was written down before then is told no more. Milliseconds since 1970. */
export function oldestTold(now: number): number {
  return now - LONGEST_WAIT;
}
