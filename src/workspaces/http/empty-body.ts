import type { FastifyInstance } from 'fastify';
import { type AnyIncoming, hasBody } from '../../lib/request.ts';

/** Accepts an empty body with any content type. Some clients set one by default: `curl -d ''` sends that of a form. */
export function acceptEmptyBodies(scope: FastifyInstance): void {
  scope.addHook('onRequest', async ({ raw, headers }) => {
    if (!hasBody(raw as AnyIncoming)) delete headers['content-type'];
  });
}
