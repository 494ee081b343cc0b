import { AppError } from '../../../lib/errors.ts';
import type { Service } from '../../../lib/service.ts';
import { discoveryErrors } from './discovery-service.ts';

/**
 * Empty ranges: the server knows neither the IP addresses at which it is reached nor the ones from which it connects.
 * It serves no policies or repositories.
 */
const RANGES = Buffer.from(JSON.stringify({ api: [], notifications: [], sentinel: [], vcs: [] }));

/**
 * Serves the IP ranges that official clients read outside of the API, without a token. The format is HCP Terraform's,
 * with empty ranges.
 */
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
