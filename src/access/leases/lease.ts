import { isoTime } from '../../lib/clock.ts';
import { isRenewable, secondsLeft, type Token } from '../model/token.ts';
import { component, flag, orNull, seconds, text, time } from '../operation/schema.ts';

/**
 * Returns the lease of a token: the path that issued it, and its public id. The lease does not contain the secret. A
 * token that never expires has no lease.
 */
export const leaseId = ({ path, id }: Token): string => `${path}/${id}`;

/** Returns the last segment of a lease, which is the token's id: `auth/cert/login/<id>`. The id may be unknown. */
export const idInLease = (lease: string): string => lease.slice(lease.lastIndexOf('/') + 1);

export const Lease = component('Lease', {
  id: text(),
  issue_time: time(),
  expire_time: time(),
  last_renewal: orNull(time()),
  renewable: flag(),
  ttl: seconds('Seconds until the token expires.'),
  path: text('The path that issued the token.'),
});

/** Returns the fields of a lease lookup. */
export function leaseData(token: Token, expiresAt: number, now: number): Record<string, unknown> {
  return {
    id: leaseId(token),
    issue_time: isoTime(token.createdAt),
    expire_time: isoTime(expiresAt),
    last_renewal: token.renewedAt === null ? null : isoTime(token.renewedAt),
    renewable: isRenewable(token),
    ttl: secondsLeft(token, now),
    path: token.path,
  };
}
