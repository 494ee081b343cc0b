const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Source of automatic destroy runs. */
export const SOURCE = 'lockkeeper-auto-destroy';

/** Sources of runs that the server starts by the clock. Such runs are no activity. */
const BY_THE_CLOCK: readonly string[] = [SOURCE, 'lockkeeper-schedule'];

/** Times before a destroy run at which users get a reminder, milliseconds. */
const REMINDERS = [24 * HOUR, 12 * HOUR] as const;

/** Delays after each failed run but the last, milliseconds. */
const RETRY_DELAYS = [10 * MINUTE, HOUR, 6 * HOUR] as const;

/** @limit failed automatic destroy runs of a workspace, runs -> no other one starts until a user acts */
export const MAX_ATTEMPTS = 4;

/** @limit delay of the next attempt to start an automatic destroy run that could not start, ms -> it is tried again after this time */
const MAX_BLOCKED_DELAY = 24 * HOUR;

/** Returns the number of reminders whose time has come. */
export function remindersPassed(dueAt: number, now: number): number {
  return REMINDERS.filter((before) => dueAt - before <= now).length;
}

/** Returns the time of the next reminder, or of the destroy run if all reminders are over. */
export function nextLook(dueAt: number, passed: number): number {
  const before = REMINDERS[passed];
  return before === undefined ? dueAt : dueAt - before;
}

/** Returns the time of the next attempt after a failed run; null after the last attempt. */
export function retryAfterFailure(attempts: number, now: number): number | null {
  const delay = attempts < MAX_ATTEMPTS ? RETRY_DELAYS[attempts - 1] : undefined;
  return delay === undefined ? null : now + delay;
}

/** Returns the time of the next attempt to start a run that could not start: an hour at first, then twice as long. */
export function retryAfterObstacle(attempts: number, now: number): number {
  return now + Math.min(HOUR * 2 ** Math.min(attempts - 1, 10), MAX_BLOCKED_DELAY);
}

/** Returns whether the run shows that somebody works with the workspace. */
export function isActivity(run: {
  readonly source: string;
  readonly parameters: { readonly 'plan-only': boolean };
}): boolean {
  return !run.parameters['plan-only'] && !BY_THE_CLOCK.includes(run.source);
}
