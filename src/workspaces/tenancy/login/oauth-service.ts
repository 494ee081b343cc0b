import type { FastifyRequest } from 'fastify';
import { AppError, type ErrorShape } from '../../../lib/errors.ts';
import type { Service } from '../../../lib/service.ts';
import { LOGIN_RATE } from '../authentication/rate.ts';
import { type PipelineExchange, REFUSED } from '../pipeline/exchange.ts';
import { LOGIN_CLIENT } from './authorization-request.ts';
import { acceptForms, fieldOf } from './form.ts';
import type { Logins } from './logins.ts';

const PREFIX = '/oauth2';

/** The error code is the title of the error (RFC 6749 §5.2). */
const errors: ErrorShape = {
  contentType: 'application/json',
  statuses: { 'unsupported-media-type': 400, 'not-found': 404 },
  body: (_status, error) => ({
    error: error ? (error.title ?? 'invalid_request') : 'server_error',
    error_description: error?.message ?? 'internal server error',
  }),
};

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:';
const ACCESS_TOKEN = `${TOKEN_TYPE}access_token`;
/** Types of the token of a pipeline: its issuer's JWT (RFC 8693 §3). */
const SUBJECT_TYPES: readonly string[] = [`${TOKEN_TYPE}jwt`, `${TOKEN_TYPE}id_token`];

/**
 * Serves the OAuth 2.0 token endpoint. `tofu` and `terraform` exchange a code (RFC 6749 §3.2) and have no client
 * secret, only PKCE. Pipelines exchange a token of their own issuer (RFC 8693 §2).
 */
export function oauthService(logins: Logins, pipelines: PipelineExchange): Service {
  return {
    name: 'oauth',
    prefix: PREFIX,
    errors,
    rate: LOGIN_RATE,
    notFound: () => new AppError('not-found', 'no such path'),
    routes(app) {
      acceptForms(app);
      app.post(LOGIN_CLIENT.tokenPath.slice(PREFIX.length), async (request, reply) => {
        // RFC 6749 §5.1 requires this header.
        reply.header('cache-control', 'no-store');
        const grant = fieldOf(request, 'grant_type');
        if (grant === 'authorization_code') return redeemed(request, logins);
        if (grant === TOKEN_EXCHANGE) return exchanged(request, pipelines);
        throw refused('unsupported_grant_type', `grant_type must be authorization_code or ${TOKEN_EXCHANGE}`);
      });
    },
  };
}

async function redeemed(request: FastifyRequest, logins: Logins) {
  if (clientOf(request) !== LOGIN_CLIENT.id) throw refused('invalid_client', 'client_id is unknown');
  const { userId, text, ttl } = await logins.redeem({
    code: fieldOf(request, 'code'),
    redirectUri: fieldOf(request, 'redirect_uri'),
    verifier: fieldOf(request, 'code_verifier'),
  });
  request.event.add({ actor_kind: 'user', actor_id: userId });
  return { access_token: text, token_type: 'bearer', expires_in: ttl / 1000 };
}

async function exchanged(request: FastifyRequest, pipelines: PipelineExchange) {
  const [token, audience] = [fieldOf(request, 'subject_token'), fieldOf(request, 'audience')];
  const wanted = fieldOf(request, 'requested_token_type') || ACCESS_TOKEN;
  if (token === '') throw refused('invalid_request', 'subject_token is missing: send the token of the pipeline');
  if (!SUBJECT_TYPES.includes(fieldOf(request, 'subject_token_type'))) {
    throw refused('invalid_request', `subject_token_type must be ${SUBJECT_TYPES.join(' or ')}`);
  }
  if (wanted !== ACCESS_TOKEN) throw refused('invalid_request', `requested_token_type must be ${ACCESS_TOKEN}`);
  if (fieldOf(request, 'actor_token') !== '') throw refused('invalid_request', 'actor_token is not supported');
  if (audience === '')
    throw refused('invalid_request', 'audience is missing: send the id of a team, or organization/team');
  const { findings, subject, given } = await pipelines.exchange({ token, audience });
  if (subject !== '') request.event.add({ actor_subject: subject });
  if (given === undefined) {
    request.event.add({ verdicts: findings });
    throw refused('invalid_request', REFUSED);
  }
  const { identity, issued } = given;
  request.event.add({ actor_kind: 'team', actor_id: identity.teamId, actor_identity: identity.id });
  const { createdAt, expiresAt } = issued.token;
  return {
    access_token: issued.text,
    issued_token_type: ACCESS_TOKEN,
    token_type: 'Bearer',
    expires_in: Math.floor(((expiresAt ?? createdAt) - createdAt) / 1000),
  };
}

/** Some clients send their client id as the user name of basic authentication, without a password (RFC 6749 §2.3.1). */
function clientOf(request: FastifyRequest): string {
  const inForm = fieldOf(request, 'client_id');
  const basic = /^basic +([\w+/=-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (inForm !== '' || basic === undefined) return inForm;
  return Buffer.from(basic, 'base64').toString().split(':')[0] ?? '';
}

function refused(title: string, message: string): AppError {
  return new AppError('bad-request', message, { title });
}
