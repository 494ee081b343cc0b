import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { version } from '../../version.ts';
import type { AnyResource } from '../resource/index.ts';
import { type Answered, file, open } from './answer.ts';
import { openApiDocument } from './document.ts';
import type { Route } from './routes.ts';

/** Route that returns the OpenAPI document, for client generators. The document contains no user data. */
export function openApiRoute(app: FastifyInstance, routes: readonly Route[], resources: readonly AnyResource[]): void {
  let bytes: Buffer | undefined;
  const json = 'application/json; charset=utf-8';
  const options: RouteShorthandOptions & Answered = {
    answer: open(file('application/json', false)),
    onSend: async (_request, reply, payload) => {
      if (reply.statusCode === 200) reply.header('content-type', json);
      return payload;
    },
  };
  app.get('/openapi.json', options, async (_request, reply) => {
    // The document is built lazily, after all routes are declared.
    bytes ??= Buffer.from(JSON.stringify(openApiDocument(routes, resources, app.prefix, version)));
    return reply.type(json).send(bytes);
  });
}
