import { createHash } from 'node:crypto';

const DAY = 86_400_000;

/**
 * When a workspace is looked at next: once a day, each at a time of its own, so that a thousand that were set up at once do not
 * come at once. Milliseconds since 1970.
 */
export function nextTimeOf(workspaceId: string, now: number): number {
  const ofDay = createHash('sha256').update(workspaceId).digest().readUInt32BE() % DAY;
  const today = now - (now % DAY) + ofDay;
  return today > now ? today : today + DAY;
}
