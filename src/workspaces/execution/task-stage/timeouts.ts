const MINUTE = 60_000;

/**
 * From when its stage begins until the service has taken the request, and between two things that it says.
 * @limit the time until a run task says something, or something more, ms -> it counts as failed
 */
const LONGEST_SILENCE = 10 * MINUTE;
/** @limit the time until a run task has said what it has to say, ms -> it counts as failed */
const LONGEST_WORK = 60 * MINUTE;

/** Until when a task that was asked at `beganAt` has to say something more. Milliseconds since 1970. */
export function deadline(beganAt: number, now: number): number {
  return Math.min(now + LONGEST_SILENCE, beganAt + LONGEST_WORK);
}

/** Until when the service has to take the request. Milliseconds since 1970. */
export function lastTry(beganAt: number): number {
  return beganAt + LONGEST_SILENCE;
}

/** In place of what a task did not say. */
export const SILENT = `The run task has not said anything for ${LONGEST_SILENCE / MINUTE} minutes`;
