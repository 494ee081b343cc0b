import type { FastifyInstance } from 'fastify';
import { AppError, type ErrorShape } from '../../../lib/errors.ts';
import type { Service } from '../../../lib/service.ts';
import { LOGIN_CLIENT } from './authorization-request.ts';

const API = '/api/v2/';

/**
 * What OpenTofu and Terraform may use here, and where (facts §4.1). Addresses are relative to this document, so they hold
 * under any name and port. Registries of modules and providers are not offered.
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

/** Errors beside the APIs: one text in a list. */
export const discoveryErrors: ErrorShape = {
  contentType: 'application/json',
  statuses: {},
  body: (_status, error) => ({ errors: [error?.message ?? 'internal error'] }),
};

/**
 * Service discovery: the first that either command line asks a host for. It tells nobody anything about anybody.
 * @param more declares what else lies under `/.well-known`
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
