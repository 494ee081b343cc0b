import { isoTime } from '../../../lib/clock.ts';
import { isRenewable, secondsLeft, type Token } from '../../model/token.ts';
import {
  component,
  flag,
  integer,
  mapOf,
  optional,
  orNull,
  seconds,
  text as shownText,
  texts,
  time,
} from '../../operation/schema.ts';

const LOOKUP = {
  accessor: shownText('Identifies the token without being its secret. Empty for a batch token.'),
  creation_time: integer('Seconds since 1970.'),
  creation_ttl: seconds('Initial lifetime.'),
  display_name: shownText(),
  entity_id: shownText("Id of the token's entity. May be empty."),
  expire_time: orNull(time('Null: the token never expires.')),
  explicit_max_ttl: seconds('Maximum lifetime, including renewals; 0: no limit.'),
  id: shownText('The token. Empty for a lookup by accessor.'),
  meta: orNull(mapOf(shownText())),
  num_uses: integer('Number of remaining uses; 0: no limit.'),
  orphan: flag('Whether the token stays valid when its parent is revoked.'),
  path: shownText('Path of the request that issued the token.'),
  policies: texts('Policies of the token itself.'),
  ttl: seconds('Remaining lifetime; 0: the token never expires.'),
  type: shownText('`service` or `batch`.'),
  renewable: optional(flag('Only for a token that expires.')),
  issue_time: optional(time('Only for a token that expires.')),
  role: optional(shownText('Token role that issued the token.')),
  period: optional(seconds('Lifetime after each renewal.')),
  bound_cidrs: optional(texts('IP address blocks from which the token can be used.')),
  identity_policies: optional(texts("Policies of the token's entity and its groups.")),
  last_renewal: optional(time()),
  last_renewal_time: optional(integer('Seconds since 1970.')),
};

const PARENT = optional(
  shownText(
    "Accessor of the token's parent, with which it is revoked. Only with `detail`, and only if it has a parent.",
  ),
);

export const TokenLookup = component(
  'TokenLookup',
  {
    ...LOOKUP,
    parent: PARENT,
    descendants: optional(
      integer('Number of tokens that are revoked with it, counted up to 1000. Only with `detail`.'),
    ),
  },
  'Properties of a token.',
);
const ListedToken = component(
  'ListedToken',
  {
    ...LOOKUP,
    parent: PARENT,
    disabled: flag("Whether the token's entity is disabled."),
    ended: optional(
      flag("Whether the token's parent is gone. The token is invalid then, and is removed within a minute."),
    ),
  },
  'Properties of a token in a list.',
);
export const TokenList = component('TokenList', {
  keys: texts('Accessors.'),
  key_info: optional(mapOf(ListedToken, 'Only with `detail`.')),
});

/** A token for a lookup. `text` is empty for a lookup by accessor. */
interface LookedUp {
  readonly token: Token;
  readonly text: string;
  /** Policies that the token's entity adds. */
  readonly identityPolicies: readonly string[];
}

/** Returns the fields of a lookup. */
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

/** Returns the fields of a list entry about the token's parent. */
export function parentOf({ parentId }: Token, accessor: string | null): Record<string, unknown> {
  if (parentId === null) return {};
  return accessor === null ? { ended: true } : { parent: accessor };
}
