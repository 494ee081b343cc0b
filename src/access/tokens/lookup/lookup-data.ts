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
  accessor: shownText('Names the token without being it. Empty for a batch token.'),
  creation_time: integer('Seconds since 1970.'),
  creation_ttl: seconds('How long it was to live when it was made.'),
  display_name: shownText(),
  entity_id: shownText('Whom it stands for; may be empty.'),
  expire_time: orNull(time('Null: it does not end.')),
  explicit_max_ttl: seconds('How long it can live however often it is renewed; 0: no limit.'),
  id: shownText('The token. Empty where it was looked up by its accessor.'),
  meta: orNull(mapOf(shownText())),
  num_uses: integer('How often it can still be used; 0: no limit.'),
  orphan: flag('Whether it lives on when the token that made it ends.'),
  path: shownText('The path of the request that it came from.'),
  policies: texts('Of its own.'),
  ttl: seconds('How long it still lives; 0: it does not end.'),
  type: shownText('`service` or `batch`.'),
  renewable: optional(flag('Only of a token that ends.')),
  issue_time: optional(time('Only of a token that ends.')),
  role: optional(shownText('The token role that it was made by.')),
  period: optional(seconds('What each renewal gives it.')),
  bound_cidrs: optional(texts('Where it can be used from.')),
  identity_policies: optional(texts('Of whoever it stands for, and of the groups that this is in.')),
  last_renewal: optional(time()),
  last_renewal_time: optional(integer('Seconds since 1970.')),
};

const PARENT = optional(
  shownText('The accessor of the token that it ends with. Only of a token that has one, where `detail` was asked for.'),
);

export const TokenLookup = component(
  'TokenLookup',
  {
    ...LOOKUP,
    parent: PARENT,
    descendants: optional(integer('Tokens that end with it, where `detail` was asked for; 1000: as many or more.')),
  },
  'What there is to know of a token.',
);
const ListedToken = component(
  'ListedToken',
  {
    ...LOOKUP,
    parent: PARENT,
    disabled: flag('Whether whoever it stands for is disabled.'),
    ended: optional(flag('The token that it came from is gone: this one is dead, and removed within a minute.')),
  },
  'What there is to know of a token in a list.',
);
export const TokenList = component('TokenList', {
  keys: texts('Accessors.'),
  key_info: optional(mapOf(ListedToken, 'Where `detail` was asked for.')),
});

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

/** What a list says of where a token comes from. */
export function parentOf({ parentId }: Token, accessor: string | null): Record<string, unknown> {
  if (parentId === null) return {};
  return accessor === null ? { ended: true } : { parent: accessor };
}
