import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';

/** Default lifetime of a token in years, as in HCP Terraform. */
const DEFAULT_YEARS = 2;

/**
 * Returns the expiry of a new token, in milliseconds since 1970. The expiry never changes afterwards.
 * @param asked null or absent for the default
 * @param limit maximum lifetime in milliseconds; null for none
 * @throws 422 for a time in the past or beyond the limit
 */
export function expiryOf(now: number, asked: number | null | undefined, limit: number | null): number {
  const latest = limit === null ? Number.POSITIVE_INFINITY : now + limit;
  if (asked === null || asked === undefined) return Math.min(yearsAfter(now), latest);
  if (asked <= now) throw refused('Expired at must be in the future');
  if (asked > latest) throw refused('Expired at exceeds the maximum token lifetime of the organization');
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
