import type { FastifyInstance } from 'fastify';
import { type AnyIncoming, hasBody } from '../../lib/request.ts';

/**
 * Takes requests without a body whatever type they name for it: there is nothing to read. Programs name one of their own accord:
 * curl that of a form for `-d ''`.
 */
export function acceptEmptyBodies(scope: FastifyInstance): void {
  scope.addHook('onRequest', async ({ raw, headers }) => {
    if (!hasBody(raw as AnyIncoming)) delete headers['content-type'];
  });
}
