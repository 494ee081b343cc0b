import { type Static, Type } from 'typebox';
import { pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, nullable, text, typed } from '../../jsonapi/schema.ts';
import { TokenResource } from './resource.ts';
import { TEAM_TOKEN_SORTS, type TeamTokenSort } from './store.ts';
import { TtlPolicyResource } from './ttl-policy-resource.ts';

const attributes = Type.Optional(TokenResource.create);

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

const some = { minItems: 1, maxItems: 20 };
const type = typed(TtlPolicyResource.type);
const InOne = Type.Object({
  type,
  attributes: Type.Object({ 'token-ttl-policies': Type.Array(TtlPolicyResource.update, some) }),
});
const OneEach = Type.Array(Type.Object({ type, attributes: TtlPolicyResource.update }), some);

/**
 * Body as in the documentation and go-tfe, or a list with one resource for each policy, as the Python client sends it.
 */
export const UpdateTtlPolicies = Type.Object({ data: Type.Union([InOne, OneEach]) });

/** Converts the maximum lifetimes from either form of the body. */
export function ttlPoliciesOf({ data }: Static<typeof UpdateTtlPolicies>) {
  const given = Array.isArray(data) ? data.map(({ attributes }) => attributes) : data.attributes['token-ttl-policies'];
  return given.map((policy) => ({ tokenType: policy['token-type'], maxTtl: policy['max-ttl-ms'] }));
}
