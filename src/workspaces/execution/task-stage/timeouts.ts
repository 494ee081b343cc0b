const MINUTE = 60_000;

/**
 * Timeout until the service accepts the request, from the start of its stage, and between two reports.
 * @limit time until the first and between two reports of a run task, ms -> the task counts as failed
 */
const LONGEST_SILENCE = 10 * MINUTE;
/** @limit time until the final report of a run task, ms -> the task counts as failed */
const LONGEST_WORK = 60 * MINUTE;

/** Returns the deadline for the next report of a task that was requested at `beganAt`. Milliseconds since 1970. */
export function deadline(beganAt: number, now: number): number {
  return Math.min(now + LONGEST_SILENCE, beganAt + LONGEST_WORK);
}

/** Returns the deadline for the service to accept the request. Milliseconds since 1970. */
export function lastTry(beganAt: number): number {
  return beganAt + LONGEST_SILENCE;
}

/** Message of a result whose task did not report in time. */
export const SILENT = `The run task has not reported anything for ${LONGEST_SILENCE / MINUTE} minutes`;
