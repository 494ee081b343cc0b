import { createHash } from 'node:crypto';

const DAY = 86_400_000;

/**
 * Returns the time of the next assessment of a workspace, in milliseconds since 1970. Each workspace has its own time
 * of the day, so that the assessments of many workspaces that were created together are spread over the day.
 */
export function nextTimeOf(workspaceId: string, now: number): number {
  const ofDay = createHash('sha256').update(workspaceId).digest().readUInt32BE() % DAY;
  const today = now - (now % DAY) + ofDay;
  return today > now ? today : today + DAY;
}
