import { AppError, type ErrorShape } from '../lib/errors.ts';
import type { Service } from '../lib/service.ts';
import type { BuiltFiles } from './files/built-files.ts';
import { fileRoutes } from './files/file-routes.ts';
import { CONSOLE_HEADERS } from './headers.ts';
import { sessionRate } from './session/rate.ts';
import { type SignInWays, sessionRoutes } from './session/session-routes.ts';

const errors: ErrorShape = {
  contentType: 'application/json',
  statuses: {},
  body: (_status, error, requestId) => {
    const details = error?.issues.map(({ detail }) => detail) ?? [];
    const code = error?.issues[0]?.code;
    return {
      errors: details.length > 0 ? details : [error?.message ?? 'internal error'],
      ...(code !== undefined && { code }),
      request_id: requestId,
    };
  },
};

export interface ConsoleParts extends SignInWays {
  /** Files of the console. Undefined if the console was not built. */
  readonly files: BuiltFiles | undefined;
}

/**
 * Returns the service of the console: its pages and its sessions. Everything that the pages show comes from the two
 * APIs.
 */
export function consoleService({ files, ...ways }: ConsoleParts): Service {
  return {
    name: 'console',
    prefix: '/app',
    errors,
    rate: sessionRate,
    notFound: () => new AppError('not-found', 'no such path'),
    routes(app) {
      app.addHook('onRequest', async ({ hostname }, reply) => {
        reply.headers(CONSOLE_HEADERS);
        // HSTS applies to every port of a host, so on localhost it would affect other programs of the user.
        if (hostname === 'localhost') reply.removeHeader('strict-transport-security');
      });
      sessionRoutes(app, ways);
      fileRoutes(app, files);
    },
  };
}

/** Redirects a browser from the root path to the console. */
export function homeService(): Service {
  return {
    name: 'home',
    prefix: '',
    errors,
    notFound: () => new AppError('not-found', 'no such path'),
    routes(app) {
      app.get('/', { config: { audit: false } }, async ({ headers }, reply) => {
        reply.header('vary', 'accept');
        if (!/\btext\/html\b/.test(headers.accept ?? '')) throw new AppError('not-found', 'no such path');
        return reply.redirect('/app', 302);
      });
    },
  };
}
