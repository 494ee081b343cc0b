import type { FastifyInstance } from 'fastify';
import { version } from '../../version.ts';
import { openApiDocument } from './document.ts';
import type { OpenApiPart } from './part.ts';
import type { Route } from './routes.ts';

/** Route that returns the OpenAPI document, for client generators. The document contains no user data. */
export function openApiRoute(app: FastifyInstance, routes: readonly Route[], part: OpenApiPart): void {
  let bytes: Buffer | undefined;
  const json = 'application/json; charset=utf-8';
  app.get(
    '/openapi.json',
    {
      onSend: async (_request, reply, payload) => {
        if (reply.statusCode === 200) reply.header('content-type', json);
        return payload;
      },
    },
    async (_request, reply) => {
      // The document is built lazily, after all routes are declared.
      bytes ??= Buffer.from(JSON.stringify(openApiDocument(routes, part, app.prefix, version)));
      return reply.type(json).send(bytes);
    },
  );
}
