import { isoTime } from '../../lib/clock.ts';
import { isRenewable, secondsLeft, type Token } from './token.ts';

/** A token and what is said of it. `text` is empty where the caller came by the accessor. */
interface LookedUp {
  readonly token: Token;
  readonly text: string;
  /** What whoever it stands for adds to its policies. */
  readonly identityPolicies: readonly string[];
}

/** What a look-up shows. */
export function lookupData({ token, text, identityPolicies }: LookedUp, now: number): Record<string, unknown> {
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
    ...(identityPolicies.length > 0 && { identity_policies: identityPolicies }),
    ...(token.role !== null && { role: token.role }),
    ...(token.period > 0 && { period: token.period }),
    ...(token.boundCidrs.length > 0 && { bound_cidrs: token.boundCidrs }),
    ...(token.renewedAt !== null && {
      last_renewal: isoTime(token.renewedAt),
      last_renewal_time: Math.floor(token.renewedAt / 1000),
    }),
  };
}
