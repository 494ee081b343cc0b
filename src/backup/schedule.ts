/** When backups are made: each so many milliseconds, or each day so many milliseconds after midnight, UTC. */
export type Schedule = { readonly every: number } | { readonly at: number };

const DAY = 86_400_000;
/** Until one that failed is tried again, milliseconds: longer each time, and no longer than that. */
const FIRST_RETRY = 60_000;
const RETRY_CAP = 3_600_000;

/** One that the schedule has begun. */
export interface BackupHistory {
  readonly startedAt: number;
  /** 0 where it failed, or is under way. */
  readonly whole: number;
}

/** When the next one is to begin. @param past those that were begun, newest first */
export function nextBackup(schedule: Schedule, past: readonly BackupHistory[], now: number): number {
  const [last] = past;
  // The first is made at once: whoever has set it up sees that it works.
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
