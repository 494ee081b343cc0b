import { AppError, type ErrorShape } from '../../../lib/errors.ts';
import type { Service } from '../../../lib/service.ts';
import type { HookIntake } from './intake.ts';

const errors: ErrorShape = {
  contentType: 'application/json',
  statuses: {},
  body: (_status, error) => ({ errors: [error?.message ?? 'internal error'] }),
};

/**
 * Serves the URLs to which providers deliver events. A delivery is proved by its secret instead of a token. Requests
 * count for their IP address, so a stranger does not use up the capacity for providers.
 */
export function webhookService(intake: HookIntake): Service {
  return {
    name: 'webhooks',
    prefix: '/webhooks/vcs',
    errors,
    rate: {
      of: 'workspaces',
      credentials: [],
      kindOf: () => 'request',
      refusal: () => 'too many requests; try again later',
    },
    notFound: () => new AppError('not-found', 'no such path'),
    routes(app) {
      app.removeAllContentTypeParsers();
      // The handler reads the body itself as a stream.
      app.addContentTypeParser('*', (_request, _body, done) => done(null));
      app.post<{ Params: { key: string } }>('/:key', { config: { secrets: ['key'] } }, async (request, reply) => {
        await intake.receive(request.params.key, { headers: request.headers, body: request.raw });
        reply.code(202);
        return {};
      });
    },
  };
}
