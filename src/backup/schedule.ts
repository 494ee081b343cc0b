/** Schedule of backups: an interval in milliseconds, or a time of day in milliseconds after midnight UTC. */
export type Schedule = { readonly every: number } | { readonly at: number };

const DAY = 86_400_000;
/** Delay before the first retry after a failure, and the maximum delay, milliseconds (exponential backoff). */
const FIRST_RETRY = 60_000;
const RETRY_CAP = 3_600_000;

/** A backup that the schedule started. */
export interface BackupHistory {
  readonly startedAt: number;
  /** 0 if the backup failed or is in progress. */
  readonly whole: number;
}

/**
 * Returns the start of the next backup.
 * @param past the backups that were started, newest first
 */
export function nextBackup(schedule: Schedule, past: readonly BackupHistory[], now: number): number {
  const [last] = past;
  // The first backup starts at once, so that the operator sees that it works.
  if (last === undefined) return now;
  if (last.whole === 1) return after(schedule, last.startedAt);
  const failures = past.findIndex(({ whole }) => whole === 1);
  const tries = failures < 0 ? past.length : failures;
  return last.startedAt + Math.min(RETRY_CAP, FIRST_RETRY * 2 ** (tries - 1));
}

function after(schedule: Schedule, time: number): number {
  if ('every' in schedule) return time + schedule.every;
  const today = Math.floor(time / DAY) * DAY + schedule.at;
  return today > time ? today : today + DAY;
}
