import { type Static, Type } from 'typebox';
import { pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, nullable, text, timestamp, typed } from '../../jsonapi/schema.ts';
import { TEAM_TOKEN_SORTS, type TeamTokenSort } from './store.ts';
import { TOKEN_TYPES } from './ttl-policies.ts';

const attributes = Type.Optional(
  Type.Object({
    description: Type.Optional(nullable(text(255))),
    'expired-at': Type.Optional(nullable(timestamp)),
  }),
);

/** Official clients omit the type, and some send no body. */
export const CreateToken = nullable(Type.Object({ data: Type.Optional(Type.Object({ type: ANY_TYPE, attributes })) }));

/** Converts the body of a new token. */
export function tokenInput(body: Static<typeof CreateToken>): { description: string; expiresAt: number | null } {
  const { description, 'expired-at': expiredAt } = body?.data?.attributes ?? {};
  return { description: description ?? '', expiresAt: expiredAt ? Date.parse(expiredAt) : null };
}

/** Selects the organization token or the audit trail token. */
export const OrganizationTokenQuery = Type.Object({
  token: Type.Optional(Type.Enum(['audit-trails', 'organization'])),
});

export const TeamTokensQuery = Type.Object({
  ...pageQuery,
  q: Type.Optional(text(90)),
  sort: Type.Optional(Type.Enum(Object.keys(TEAM_TOKEN_SORTS) as TeamTokenSort[])),
});

/**
 * Ten years.
 * @limit maximum token lifetime that an organization can set, ms -> 422
 */
const MAX_TTL = 10 * 365 * 24 * 3_600_000;
const ttlPolicy = Type.Object({
  'token-type': Type.Enum([...TOKEN_TYPES]),
  'max-ttl-ms': Type.Integer({ minimum: 60_000, maximum: MAX_TTL }),
});
const some = { minItems: 1, maxItems: 20 };
const type = typed('organization-token-ttl-policies');
const InOne = Type.Object({ type, attributes: Type.Object({ 'token-ttl-policies': Type.Array(ttlPolicy, some) }) });
const OneEach = Type.Array(Type.Object({ type, attributes: ttlPolicy }), some);

/**
 * Body as in the documentation and go-tfe, or a list with one resource for each policy, as the Python client sends it.
 */
export const UpdateTtlPolicies = Type.Object({ data: Type.Union([InOne, OneEach]) });

/** Converts the maximum lifetimes from either form of the body. */
export function ttlPoliciesOf({ data }: Static<typeof UpdateTtlPolicies>) {
  const given = Array.isArray(data) ? data.map(({ attributes }) => attributes) : data.attributes['token-ttl-policies'];
  return given.map((policy) => ({ tokenType: policy['token-type'], maxTtl: policy['max-ttl-ms'] }));
}
