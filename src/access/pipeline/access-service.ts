import { AppError, type ErrorShape } from '../../lib/errors.ts';
import type { Service } from '../../lib/service.ts';
import type { Wrapping } from '../wrapping/index.ts';
import type { Pipeline } from './pipeline.ts';
import { accessRate } from './rate.ts';
import { apiRoutes } from './routes.ts';

/** The routes below `/v1`. */
export function accessService(pipeline: Pipeline, wrapping: Wrapping): Service {
  return {
    name: 'access',
    prefix: '/v1',
    errors: ERRORS,
    decodesSlashes: true,
    rate: accessRate,
    routes: (app) => apiRoutes(app, pipeline, wrapping),
    notFound: () => new AppError('method-not-allowed', '1 error occurred:\n\t* unsupported operation\n\n'),
  };
}

/**
 * Body of an error: `{"errors": ["…"]}`. Clients distinguish errors by status only: a missing token gets 403 like an invalid one, and an invalid body gets 400.
 */
const ERRORS: ErrorShape = {
  contentType: 'application/json',
  statuses: { unauthenticated: 403, unprocessable: 400 },
  body(_status: number, error: AppError | undefined) {
    if (!error) return { errors: ['internal error'] };
    if (error.kind === 'not-found' && error.message === '') return { errors: [] };
    return { errors: [error.message] };
  },
};
