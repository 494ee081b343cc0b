import type { FastifyRequest } from 'fastify';
import { AppError, type ErrorShape } from '../../../lib/errors.ts';
import type { Service } from '../../../lib/service.ts';
import { LOGIN_CLIENT } from './authorization-request.ts';
import { acceptForms, fieldOf } from './form.ts';
import type { Logins } from './logins.ts';

const PREFIX = '/oauth2';

/** RFC 6749 §5.2: the title of an error is its code. */
const errors: ErrorShape = {
  contentType: 'application/json',
  statuses: { 'unsupported-media-type': 400, 'not-found': 404 },
  body: (_status, error) => ({
    error: error ? (error.title ?? 'invalid_request') : 'server_error',
    error_description: error?.message ?? 'something went wrong on our side',
  }),
};

/** The token endpoint of OAuth 2.0 for the command lines (RFC 6749 §3.2), which have no secret but the proof key. */
export function oauthService(logins: Logins): Service {
  return {
    name: 'oauth',
    prefix: PREFIX,
    errors,
    notFound: () => new AppError('not-found', 'no such path'),
    routes(app) {
      acceptForms(app);
      app.post(LOGIN_CLIENT.tokenPath.slice(PREFIX.length), async (request) => {
        if (fieldOf(request, 'grant_type') !== 'authorization_code') {
          throw refused('unsupported_grant_type', 'grant_type has to be authorization_code');
        }
        if (clientOf(request) !== LOGIN_CLIENT.id) throw refused('invalid_client', 'client_id is not one of ours');
        const { userId, text, ttl } = await logins.redeem({
          code: fieldOf(request, 'code'),
          redirectUri: fieldOf(request, 'redirect_uri'),
          verifier: fieldOf(request, 'code_verifier'),
        });
        request.event.add({ actor_kind: 'user', actor_id: userId });
        return { access_token: text, token_type: 'bearer', expires_in: ttl / 1000 };
      });
    },
  };
}

/** Some clients say who they are as the user of a basic authentication, without a password (RFC 6749 §2.3.1). */
function clientOf(request: FastifyRequest): string {
  const inForm = fieldOf(request, 'client_id');
  const basic = /^basic +([\w+/=-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (inForm !== '' || basic === undefined) return inForm;
  return Buffer.from(basic, 'base64').toString().split(':')[0] ?? '';
}

function refused(title: string, message: string): AppError {
  return new AppError('bad-request', message, { title });
}
