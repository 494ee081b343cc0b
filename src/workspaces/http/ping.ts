import type { FastifyInstance } from 'fastify';

/** What official clients decide by what they may ask of a server. The version is a letter and a number, never x.y.z. */
const HEADERS = { 'tfp-api-version': '2.6', 'tfp-appname': 'Terraform Enterprise', 'x-tfe-version': 'v202507-1' };

/** What official clients call first, with a token or without. */
export function pingRoute(app: FastifyInstance): void {
  app.get('/ping', async (_request, reply) => {
    reply.code(204).headers(HEADERS);
  });
}
