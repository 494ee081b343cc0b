import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';

/** A token that nobody said an end for lives as long, as in the original. */
const DEFAULT_YEARS = 2;

/**
 * When a token that is made now ends, in milliseconds since 1970; it never changes afterwards.
 * @param asked null or absent for the default
 * @param limit the longest life, in milliseconds; null for any
 * @throws 422 for a time in the past or beyond the limit
 */
export function expiryOf(now: number, asked: number | null | undefined, limit: number | null): number {
  const latest = limit === null ? Number.POSITIVE_INFINITY : now + limit;
  if (asked === null || asked === undefined) return Math.min(yearsAfter(now), latest);
  if (asked <= now) throw refused('Expired at must be in the future');
  if (asked > latest) throw refused('Expired at is later than the organization allows');
  return asked;
}

function yearsAfter(now: number): number {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + DEFAULT_YEARS);
  return end.getTime();
}

function refused(detail: string) {
  return unprocessable([attributeIssue('expired-at', detail)]);
}
