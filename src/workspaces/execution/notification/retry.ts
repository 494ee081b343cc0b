const HOUR = 3_600_000;

/** @limit attempts to send one notification, attempts -> the notification is dropped */
const MOST_TRIES = 10;
/** @limit waiting time of a notification, ms -> the notification is dropped */
const LONGEST_WAIT = 6 * HOUR;

/** Returns whether this number of attempts is the maximum, so that the message is dropped. */
export function isGivenUp(tries: number): boolean {
  return tries >= MOST_TRIES;
}

/** Returns the time before which messages are dropped, milliseconds since 1970. */
export function oldestTold(now: number): number {
  return now - LONGEST_WAIT;
}
