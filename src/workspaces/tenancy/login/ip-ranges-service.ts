import { AppError } from '../../../lib/errors.ts';
import type { Service } from '../../../lib/service.ts';
import { discoveryErrors } from './discovery-service.ts';

/**
 * The server does not know by which addresses it is reached, nor by which it leaves its network; no policies and no repositories
 * are asked for.
 */
const RANGES = Buffer.from(JSON.stringify({ api: [], notifications: [], sentinel: [], vcs: [] }));

/** The ranges of IP addresses that official clients read beside the API, without a token: the form of the original, and no range. */
export function ipRangesService(): Service {
  return {
    name: 'ip-ranges',
    prefix: '/api/meta',
    errors: discoveryErrors,
    notFound: () => new AppError('not-found', 'no such path'),
    routes(app) {
      app.get('/ip-ranges', { config: { audit: false } }, async (_request, reply) => {
        return reply.type('application/json; charset=utf-8').send(RANGES);
      });
    },
  };
}
