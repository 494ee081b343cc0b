import { isoTime } from '../../lib/clock.ts';
import { isRenewable, secondsLeft, type Token } from './token.ts';

/** What a look-up shows. `text` is empty where the caller came by the accessor. */
export function lookupData(token: Token, text: string, now: number): Record<string, unknown> {
  const lease = token.expiresAt !== null && { renewable: isRenewable(token), issue_time: isoTime(token.createdAt) };
  return {
    accessor: token.accessor,
    creation_time: Math.floor(token.createdAt / 1000),
    creation_ttl: token.creationTtl,
    display_name: token.displayName,
    entity_id: token.entityId ?? '',
    expire_time: token.expiresAt === null ? null : isoTime(token.expiresAt),
    explicit_max_ttl: token.explicitMaxTtl,
    id: text,
    meta: token.metadata,
    num_uses: token.usesLeft ?? 0,
    orphan: token.orphan,
    path: token.path,
    policies: token.policies,
    ttl: secondsLeft(token, now),
    type: token.type,
    ...lease,
    ...(token.role !== null && { role: token.role }),
    ...(token.period > 0 && { period: token.period }),
    ...(token.boundCidrs.length > 0 && { bound_cidrs: token.boundCidrs }),
    ...(token.renewedAt !== null && {
      last_renewal: isoTime(token.renewedAt),
      last_renewal_time: Math.floor(token.renewedAt / 1000),
    }),
  };
}
