import type { FastifyInstance, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import type { Answer, Answered } from './answer.ts';

/** A declared route. */
export interface Route {
  /** Method and path, for example `GET /path/:parameter`, below the prefix of the API. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  readonly answer?: Answer;
}

/**
 * Collects every route that is declared on the instance or below it after this call. The list grows until the instance
 * is ready.
 */
export function collectRoutes(app: FastifyInstance): readonly Route[] {
  const routes: Route[] = [];
  app.addHook('onRoute', ({ method, url, schema, answer }: RouteOptions & Answered) => {
    const path = url.slice(app.prefix.length);
    const { params, querystring, body } = (schema ?? {}) as Readonly<Record<string, TSchema>>;
    for (const name of [method].flat().filter((one) => one !== 'HEAD')) {
      routes.push({
        ...{ name: `${name} ${path}`, method: name, path },
        ...{
          ...(params && { params }),
          ...(querystring && { querystring }),
          ...(body && { body }),
          ...(answer && { answer }),
        },
      });
    }
  });
  return routes;
}
