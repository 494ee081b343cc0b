/** The time, in milliseconds since 1970. Passed in wherever time decides something, so that a test can move it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** `2026-11-21T09:30:00.000Z`, the form of every time on the wire. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
