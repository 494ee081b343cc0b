const SECOND = 1000;
const FIRST_PAUSE = 15 * SECOND;
/** @limit pause between two attempts to send a notification, ms -> the server tries again */
const LONGEST_PAUSE = 3600 * SECOND;

/**
 * Returns the pause before the next try in milliseconds: exponential backoff by the factor three with jitter.
 * @param chance from 0 to 1
 */
export function pauseAfter(failures: number, chance: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 3 ** (failures - 1)) * (0.5 + chance / 2);
}
