const MINUTE = 60_000;
/** @limit the time between two looks at a distribution point, ms -> it is asked again */
const LONGEST = 60 * MINUTE;
/** The part of a wait that chance takes away, so that many lists and many nodes do not fetch at once. */
const JITTER = 0.2;

/** A number from 0 up to 1, as `Math.random`. */
export type Random = () => number;

/**
 * When to ask for a list again after it was fetched: half-way to its next update, so that there is time for a second try;
 * after an hour at most, as authorities may publish early; after a minute at least. Milliseconds since 1970.
 */
export function nextFetchAfterSuccess(now: number, nextUpdate: number | undefined, random: Random): number {
  const wait = nextUpdate === undefined ? LONGEST : (nextUpdate - now) / 2;
  return now + jittered(Math.min(Math.max(wait, MINUTE), LONGEST), random);
}

/** When to try again after so many failures in a row: a minute, two, four and so on, up to an hour. */
export function nextFetchAfterFailure(now: number, failures: number, random: Random): number {
  return now + jittered(Math.min(MINUTE * 2 ** Math.min(failures - 1, 10), LONGEST), random);
}

function jittered(wait: number, random: Random): number {
  return Math.floor(wait * (1 - JITTER * random()));
}
