import { Cron } from 'croner';
import type { Issue } from '../../../../lib/errors.ts';
import { attributeIssue } from '../../../jsonapi/errors.ts';
import type { Digest } from '../notification.ts';

/** Default of `waiting-hours`. */
const WAITING_HOURS = 4;

/** Digest of a request: all fields are optional. */
export type DigestInput = Partial<Digest> | null;

/** Fills in the defaults of a digest. */
export function digestOf(input: DigestInput): Digest | null {
  if (input === null) return null;
  return {
    hour: input.hour ?? 8,
    'time-zone': input['time-zone'] ?? 'UTC',
    'waiting-hours': input['waiting-hours'] ?? WAITING_HOURS,
  };
}

/** Returns the problems of a digest. Its schema bounds the numbers. */
export function digestIssues(digest: Digest | null): Issue[] {
  if (digest === null || isTimeZone(digest['time-zone'])) return [];
  return [attributeIssue('digest', 'Digest has an unknown time-zone. Use a name such as Europe/Berlin or UTC')];
}

/**
 * Returns the next time of a digest after `now`, milliseconds since 1970. A local hour that a change of the clock skips
 * happens at the next one.
 */
export function nextDigestAt({ hour, 'time-zone': timezone }: Digest, now: number): number {
  const next = new Cron(`0 0 ${hour} * * *`, { timezone }).nextRun(new Date(now));
  if (next === null) throw new Error(`no next time for hour ${hour} in ${timezone}`);
  return next.getTime();
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
