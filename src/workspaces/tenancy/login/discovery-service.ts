import type { FastifyInstance } from 'fastify';
import { AppError, type ErrorShape } from '../../../lib/errors.ts';
import type { Service } from '../../../lib/service.ts';
import { LOGIN_CLIENT } from './authorization-request.ts';

const API = '/api/v2/';

/**
 * Services for OpenTofu and Terraform, with their paths. The paths are relative to this document, so they
 * work under any host name and port. Module and provider registries are not offered.
 */
const SERVICES = Buffer.from(
  JSON.stringify({
    'tfe.v2': API,
    'tfe.v2.1': API,
    'tfe.v2.2': API,
    'state.v2': API,
    'login.v1': {
      client: LOGIN_CLIENT.id,
      grant_types: ['authz_code'],
      authz: LOGIN_CLIENT.authorizePath,
      token: LOGIN_CLIENT.tokenPath,
      ports: LOGIN_CLIENT.ports,
    },
  }),
);

/** Error format outside of the APIs: a list with one text. */
export const discoveryErrors: ErrorShape = {
  contentType: 'application/json',
  statuses: {},
  body: (_status, error) => ({ errors: [error?.message ?? 'internal error'] }),
};

/**
 * Serves service discovery, the first request of OpenTofu and Terraform to a host. The document is the same for every
 * caller and contains no private data.
 * @param more adds further routes under `/.well-known`
 */
export function discoveryService(more: (app: FastifyInstance) => void): Service {
  return {
    name: 'discovery',
    prefix: '/.well-known',
    errors: discoveryErrors,
    notFound: () => new AppError('not-found', 'no such path'),
    routes(app) {
      app.get('/terraform.json', { config: { audit: false } }, async (_request, reply) => {
        return reply.type('application/json; charset=utf-8').send(SERVICES);
      });
      more(app);
    },
  };
}
