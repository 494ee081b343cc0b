import { createHash } from 'node:crypto';

/**
 * Returns the delay of a workspace after the times of a schedule, in milliseconds. It is always the same one, so that
 * the time between two runs of a workspace stays that of the expression.
 * @param jitter longest delay, in seconds
 */
export function delayOf(scheduleId: string, workspaceId: string, jitter: number): number {
  const hash = createHash('sha256').update(`${scheduleId}/${workspaceId}`).digest().readUInt32BE();
  return (hash % (jitter + 1)) * 1000;
}
