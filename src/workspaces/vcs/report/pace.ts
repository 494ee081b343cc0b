const SECOND = 1000;
/**
 * Shortest time between two updates of what a provider shows for a commit, while runs are in progress. The first and the
 * last update are sent at once.
 * @limit updates of a commit status while runs are in progress, ms between two -> changes are sent together
 */
const SHORTEST_PAUSE = 15 * SECOND;
/** @limit longest time between two looks at a commit whose runs are in progress, ms -> the provider shows changes later */
const LONGEST_PAUSE = 900 * SECOND;
/** @limit time for which the server tries to report the results of an event, ms -> it gives up until something changes */
export const LONGEST_TRIES = 24 * 3600 * SECOND;
/** @limit pause that a provider may ask for before a report is sent again, ms -> the server tries earlier */
const LONGEST_LIMIT = 3600 * SECOND;

/**
 * Returns the pause between two updates, in milliseconds. It grows with the age of the event: four updates in the first
 * minute, and some twenty in an hour.
 */
export function pauseBetweenUpdates(age: number): number {
  return Math.round(Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, age / 4)));
}

/** Returns the pause after a provider refused a request because there were too many. */
export function pauseAfterLimit(retryAfterMs: number | undefined): number {
  return Math.round(Math.min(LONGEST_LIMIT, Math.max(SECOND, retryAfterMs ?? 60 * SECOND)));
}
