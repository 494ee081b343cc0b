const SECOND = 1000;
const FIRST_PAUSE = 15 * SECOND;
/** @limit the time between two tries of a notification, ms -> it is tried again */
const LONGEST_PAUSE = 3600 * SECOND;

/**
 * Milliseconds until a receiver is tried again that has failed so often in a row: three times as long each time, and not all
 * at once that have failed together.
 * @param chance from 0 to 1
 */
export function pauseAfter(failures: number, chance: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 3 ** (failures - 1)) * (0.5 + chance / 2);
}
