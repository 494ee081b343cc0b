import { isoTime } from '../../lib/clock.ts';
import { isRenewable, secondsLeft, type Token } from '../model/token.ts';
import { component, flag, orNull, seconds, text, time } from '../operation/schema.ts';

/**
 * The lease of a token: where it came from, and its public id. Without its secret it is worth nothing to anybody. A token
 * without an end has none.
 */
export const leaseId = ({ path, id }: Token): string => `${path}/${id}`;

/** `auth/cert/login/<id>` → the id, in case it is one. */
export const idInLease = (lease: string): string => lease.slice(lease.lastIndexOf('/') + 1);

export const Lease = component('Lease', {
  id: text(),
  issue_time: time(),
  expire_time: time(),
  last_renewal: orNull(time()),
  renewable: flag(),
  ttl: seconds('How long it still lives.'),
  path: text('The path that the token came from.'),
});

/** What a look-up shows. */
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
