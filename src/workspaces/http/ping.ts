import type { FastifyInstance } from 'fastify';
import { done, open } from '../openapi/answer.ts';
import { apiOf } from './api.ts';

/**
 * Versions by which official clients decide which features a server has. `tofu` and `terraform` read the old numbering
 * and fail on the form x.y.z there; the provider prefers the new one, and offers token lifetimes from 2.0.1 on.
 */
const HEADERS = {
  'tfp-api-version': '2.6',
  'tfp-appname': 'Terraform Enterprise',
  'x-tfe-version': 'v202507-1',
  'x-tfe-current-version': '2.0.1',
};

/** Route that official clients call first, with or without a token. */
export function pingRoute(app: FastifyInstance): void {
  apiOf(app).get('/ping', { answer: open(done) }, async (_request, reply) => {
    reply.code(204).headers(HEADERS);
  });
}
