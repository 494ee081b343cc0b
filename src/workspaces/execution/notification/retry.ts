const SECOND = 1000;
const HOUR = 3_600_000;

/** @limit tries of one notification, tries -> it is given up */
const MOST_TRIES = 10;
/** @limit the time that a notification waits to be sent, ms -> it is given up */
const LONGEST_WAIT = 6 * HOUR;
const FIRST_PAUSE = 15 * SECOND;
/** @limit the time between two tries of a notification, ms -> it is tried again */
const LONGEST_PAUSE = HOUR;

/** Whether so many tries are enough. */
export function isGivenUp(tries: number): boolean {
  return tries >= MOST_TRIES;
}

/** What was written down before then is told no more. Milliseconds since 1970. */
export function oldestTold(now: number): number {
  return now - LONGEST_WAIT;
}

/**
 * Milliseconds until a receiver is tried again that has failed so often in a row: three times as long each time, and not all
 * at once that have failed together.
 * @param chance from 0 to 1
 */
export function pauseAfter(failures: number, chance: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 3 ** (failures - 1)) * (0.5 + chance / 2);
}
