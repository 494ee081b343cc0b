import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { apiOf } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { done, file, orNothing } from '../../openapi/answer.ts';
import { ACTOR, type Authentication, actorOf, authenticationHook } from '../../tenancy/index.ts';
import { OUTPUT_KINDS, OUTPUTS } from './run-output.ts';
import type { RunOutputs } from './run-outputs.ts';

const ById = Type.Object({ id: Id });
const PATHS = { plan: 'plans', apply: 'applies' } as const;

/**
 * Routes that upload and download outputs of plans and applies as bytes, in a scope without a body parser. The
 * uploads are our extension.
 */
export async function runOutputRoutes(
  scope: FastifyInstance,
  { runOutputs }: { readonly runOutputs: RunOutputs },
  authentication: Authentication,
): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null));
  scope.decorateRequest(ACTOR, undefined);
  scope.addHook('onRequest', authenticationHook(authentication));
  const api = apiOf(scope);

  for (const kind of OUTPUT_KINDS) {
    const { of, mediaType } = OUTPUTS[kind];
    const path = `/${PATHS[of]}/:id/${kind}`;

    api.put(path, { answer: done, schema: { params: ById } }, async (request, reply) => {
      await runOutputs.put(actorOf(request), kind, request.params.id, request.raw);
      reply.code(204);
    });

    api.get(
      path,
      {
        answer: orNothing(file(mediaType, false)),
        schema: { params: ById },
        exposeHeadRoute: false,
        onSend: async (_request, reply, payload) => {
          if (payload instanceof Readable) reply.header('content-type', mediaType);
          return payload;
        },
      },
      async (request, reply) => {
        const output = await runOutputs.read(actorOf(request), kind, request.params.id);
        reply.header('cache-control', 'no-store');
        // Clients read this response as "not ready".
        if (output === undefined) return reply.code(204).send();
        reply.header('content-length', output.size);
        return reply.send(Readable.from(output.content, { objectMode: false }));
      },
    );
  }
}
