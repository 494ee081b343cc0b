import type { FastifyInstance } from 'fastify';
import { version } from '../../version.ts';
import { openApiDocument } from './document.ts';
import type { OpenApiPart } from './part.ts';
import type { Route } from './routes.ts';

/** The description of the whole API, for generators of clients; it names nothing that anybody has made. */
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
      // Not before all are declared.
      bytes ??= Buffer.from(JSON.stringify(openApiDocument(routes, part, app.prefix, version)));
      return reply.type(json).send(bytes);
    },
  );
}
