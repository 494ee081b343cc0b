import type { FastifyInstance } from 'fastify';

/**
 * What official clients decide by what they may ask of a server: the release that we do as much as. The command lines read
 * the old numbering and fail on a version of the form x.y.z there; the provider prefers the new one, and opens limits for
 * the lifetime of tokens from 2.0.1 on.
 */
const HEADERS = {
  'tfp-api-version': '2.6',
  'tfp-appname': 'Terraform Enterprise',
  'x-tfe-version': 'v202507-1',
  'x-tfe-current-version': '2.0.1',
};

/** What official clients call first, with a token or without. */
export function pingRoute(app: FastifyInstance): void {
  app.get('/ping', async (_request, reply) => {
    reply.code(204).headers(HEADERS);
  });
}
