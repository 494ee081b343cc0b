import { isoTime } from '../../lib/clock.ts';

/** Returns the times of statuses as documents show them. `plan_queued` in the model is `plan-queued-at` there. */
export function statusTimes(timestamps: Readonly<Record<string, number>>): Record<string, string> {
  const entries = Object.entries(timestamps).map(([name, time]) => [`${name.replaceAll('_', '-')}-at`, isoTime(time)]);
  return Object.fromEntries(entries);
}
