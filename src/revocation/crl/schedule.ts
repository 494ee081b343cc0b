const MINUTE = 60_000;
/** @limit maximum interval between two fetches of a CRL, ms -> the CRL is fetched again */
const LONGEST = 60 * MINUTE;
/** Random part that is subtracted from each delay, so that many CRLs and nodes do not fetch at the same moment. */
const JITTER = 0.2;

/** Returns a number from 0 (inclusive) to 1 (exclusive), like `Math.random`. */
export type Random = () => number;

/**
 * Returns the time of the next fetch after a successful one: half-way to the next update, so that a second attempt is
 * possible; after an hour at most, because CAs may publish early; after a minute at least. Milliseconds since 1970.
 */
export function nextFetchAfterSuccess(now: number, nextUpdate: number | undefined, random: Random): number {
  const wait = nextUpdate === undefined ? LONGEST : (nextUpdate - now) / 2;
  return now + jittered(Math.min(Math.max(wait, MINUTE), LONGEST), random);
}

/**
 * Returns the time of the next attempt after consecutive failures (exponential backoff): a minute, two, four and so on,
 * up to an hour.
 */
export function nextFetchAfterFailure(now: number, failures: number, random: Random): number {
  return now + jittered(Math.min(MINUTE * 2 ** Math.min(failures - 1, 10), LONGEST), random);
}

function jittered(wait: number, random: Random): number {
  return Math.floor(wait * (1 - JITTER * random()));
}
