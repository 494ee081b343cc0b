/**
 * Returns the time in milliseconds since 1970. Code that depends on the time takes a clock as a parameter, so that a
 * test can set it.
 */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Formats a time as `2026-11-21T09:30:00.000Z`, the format of every time in the APIs. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
