import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { isoTime } from '../../lib/clock.ts';
import { authenticate, type Caller } from '../authentication.ts';
import { type AuthBlock, envelope } from '../envelope.ts';
import { parseFields, requestBody, seconds } from '../fields.ts';
import { authorize, type Capability } from '../policies/authorize.ts';
import { isRenewable, secondsLeft, type Token } from './token.ts';
import type { RenewedToken, TokenService } from './token-service.ts';

/** Renews on the terms of the method that issued the token; given by the composition, since methods depend on tokens. */
export type RenewByMethod = (token: Token, request: FastifyRequest, increment: number) => Promise<RenewedToken>;

/** What a token may do with itself: look up, renew, revoke. */
export function tokenRoutes(app: FastifyInstance, tokens: TokenService, renew: RenewByMethod, clock: Clock): void {
  const self = async (request: FastifyRequest, capability: Capability, operation: string): Promise<Caller> => {
    const caller = await authenticate(tokens, request);
    authorize(caller.token, capability, `auth/token/${operation}`);
    return caller;
  };

  app.route({
    method: ['GET', 'POST', 'PUT'],
    url: '/lookup-self',
    handler: async (request) => {
      const { token, text } = await self(request, 'read', 'lookup-self');
      return envelope(request.id, { data: lookupData(token, text, clock()) });
    },
  });

  app.route({
    method: ['POST', 'PUT'],
    url: '/renew-self',
    handler: async (request) => {
      const { token, text } = await self(request, 'update', 'renew-self');
      const { values } = parseFields({ increment: seconds() }, requestBody(request.body));
      const renewed = await renew(token, request, values.increment ?? 0);
      return envelope(request.id, { auth: authBlock(renewed.token, text, renewed.ttl), warnings: renewed.warnings });
    },
  });

  app.route({
    method: ['POST', 'PUT'],
    url: '/revoke-self',
    handler: async (request, reply) => {
      const { token } = await self(request, 'update', 'revoke-self');
      await tokens.revoke(token);
      return reply.code(204).send();
    },
  });
}

/** The `auth` member of a login or a renewal. `ttl` in seconds. */
export function authBlock(token: Token, text: string, ttl: number): AuthBlock {
  return {
    client_token: text,
    accessor: token.accessor,
    policies: token.policies,
    token_policies: token.policies,
    metadata: token.metadata,
    lease_duration: ttl,
    renewable: isRenewable(token),
    entity_id: '',
    token_type: token.type,
    orphan: token.orphan,
    mfa_requirement: null,
    num_uses: token.usesLeft ?? 0,
  };
}

function lookupData(token: Token, text: string, now: number): Record<string, unknown> {
  const lease = token.expiresAt !== null && { renewable: isRenewable(token), issue_time: isoTime(token.createdAt) };
  return {
    accessor: token.accessor,
    creation_time: Math.floor(token.createdAt / 1000),
    creation_ttl: token.creationTtl,
    display_name: token.displayName,
    entity_id: '',
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
    ...(token.period > 0 && { period: token.period }),
    ...(token.boundCidrs.length > 0 && { bound_cidrs: token.boundCidrs }),
    ...(token.renewedAt !== null && {
      last_renewal: isoTime(token.renewedAt),
      last_renewal_time: Math.floor(token.renewedAt / 1000),
    }),
  };
}
