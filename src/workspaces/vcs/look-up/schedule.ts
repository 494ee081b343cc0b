import { createHash } from 'node:crypto';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** @limit interval of look-ups of a repository without a working webhook, ms -> a push is found within it */
const WITHOUT_HOOK = MINUTE;
/** @limit interval of look-ups of a repository with a working webhook, ms -> a lost delivery is made up for within it */
const WITH_HOOK = 10 * MINUTE;
/** @limit look-ups at one host for all repositories together, per second -> the interval becomes longer */
const MOST_PER_SECOND = 10;
/** @limit repositories at a host that are counted for the budget of look-ups, repositories -> further ones do not count */
export const MOST_COUNTED = 100_000;

/**
 * Returns the time of the next look-up, milliseconds since 1970. Each repository has its own place in the interval,
 * so that the requests are spread over it.
 * @param polled repositories at the same host that are looked up at intervals
 */
export function nextLookUp(id: string, now: number, hookWorks: boolean, polled: number): number {
  const interval = Math.max(hookWorks ? WITH_HOOK : WITHOUT_HOOK, (polled / MOST_PER_SECOND) * SECOND);
  const place = (createHash('sha256').update(id).digest().readUInt32BE(0) / 2 ** 32) * interval;
  const next = Math.floor((now - place) / interval + 1) * interval + place;
  return Math.ceil(next);
}
