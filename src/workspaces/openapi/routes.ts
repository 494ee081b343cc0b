import type { FastifyInstance, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { type Answer, type Answered, done } from './answer.ts';

/** A declared route. */
export interface Route {
  /** Method and path, for example `GET /path/:parameter`, below the prefix of the API. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  readonly answer: Answer;
}

/**
 * Collects every route that is declared on the instance or below it after this call. The list grows until the instance
 * is ready.
 * @throws for a route without an answer that is no deletion
 */
export function collectRoutes(app: FastifyInstance): readonly Route[] {
  const routes: Route[] = [];
  app.addHook('onRoute', ({ method, url, schema, answer }: RouteOptions & Partial<Answered>) => {
    const path = url.slice(app.prefix.length);
    const { params, querystring, body } = (schema ?? {}) as Readonly<Record<string, TSchema>>;
    for (const name of [method].flat().filter((one) => one !== 'HEAD')) {
      routes.push({
        ...{ name: `${name} ${path}`, method: name, path, answer: answer ?? answerTo(name, path) },
        ...{ ...(params && { params }), ...(querystring && { querystring }), ...(body && { body }) },
      });
    }
  });
  return routes;
}

/** Returns the answer of a route that declares none. */
function answerTo(method: string, path: string): Answer {
  if (method === 'DELETE') return done;
  throw new Error(`The route ${method} ${path} declares no answer`);
}
