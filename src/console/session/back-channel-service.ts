import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorShape } from '../../lib/errors.ts';
import type { Service } from '../../lib/service.ts';
import { SignInFault, type SignInProviders } from './provider-routes.ts';

/** OpenID Connect Back-Channel Logout 1.0 §2.8: every failure is a bad request. */
const errors: ErrorShape = {
  contentType: 'application/json',
  statuses: { 'not-found': 400, unavailable: 400 },
  body: (_status, error) => ({ error: 'invalid_request', error_description: error?.message ?? 'internal error' }),
};

/** @limit the body of a back-channel logout request, bytes -> 413 */
const MAX_BODY_BYTES = 16_384;

/**
 * Receives back-channel logout requests of identity providers (§2.5): the server's provider, and below it those of
 * organizations.
 */
export function backChannelService({ server, organizations }: SignInProviders): Service {
  return {
    name: 'sign-out',
    prefix: '/app/~session/oidc/logout',
    errors,
    notFound: () => new AppError('not-found', 'Send the logout token as a form (application/x-www-form-urlencoded)'),
    routes(app) {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser<string>(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
        async (_request: unknown, body: string) => ({ logout_token: new URLSearchParams(body).getAll('logout_token') }),
      );
      app.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store');
      });
      const take = async (request: FastifyRequest, reply: FastifyReply) => {
        const { organization } = request.params as Readonly<Record<string, string | undefined>>;
        const provider = organization === undefined ? server : await organizations?.of(organization);
        if (provider === undefined) throw new AppError('not-found', 'No identity provider is configured for this URL');
        const { logout_token: tokens = [] } = (request.body ?? {}) as { logout_token?: readonly string[] };
        const [token] = tokens;
        if (token === undefined || tokens.length > 1)
          throw new AppError('bad-request', 'logout_token must be sent exactly once');
        try {
          await provider.signOut(request, token);
        } catch (error) {
          throw error instanceof SignInFault ? new AppError('bad-request', WHY[error.reason] ?? REFUSED) : error;
        }
        return reply.code(200).send();
      };
      app.post('', take);
      app.post('/:organization', take);
    },
  };
}

const REFUSED = 'logout_token is invalid';
const WHY: Readonly<Record<string, string>> = { away: 'the keys of the identity provider cannot be fetched' };
