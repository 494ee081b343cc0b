import { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Id } from '../../jsonapi/schema.ts';
import { ACTOR, type Authentication, actorOf, authenticationHook } from '../../tenancy/index.ts';
import { type AssessmentFile, type Assessments, FILES } from './assessments.ts';

const One = Type.Object({ assessment_result_id: Id });
const MEDIA_TYPES: Readonly<Record<AssessmentFile, string>> = {
  'json-output': 'application/json',
  'json-schema': 'application/json',
  'log-output': 'text/plain; charset=utf-8',
};

/** Routes that download the outputs of assessments. */
export async function assessmentFileRoutes(
  scope: FastifyInstance,
  { assessments }: { readonly assessments: Assessments },
  authentication: Authentication,
): Promise<void> {
  scope.decorateRequest(ACTOR, undefined);
  scope.addHook('onRequest', authenticationHook(authentication));
  const api = scope.withTypeProvider<TypeBoxTypeProvider>();

  for (const file of Object.keys(FILES) as AssessmentFile[]) {
    api.get(
      `/assessment-results/:assessment_result_id/${file}`,
      {
        schema: { params: One },
        exposeHeadRoute: false,
        onSend: async (_request, reply, payload) => {
          if (payload instanceof Readable) reply.header('content-type', MEDIA_TYPES[file]);
          return payload;
        },
      },
      async (request, reply) => {
        const output = await assessments.file(actorOf(request), request.params.assessment_result_id, file);
        reply.header('cache-control', 'no-store');
        if (output === undefined) return reply.code(204).send();
        reply.header('content-length', output.size);
        return reply.send(Readable.from(output.content, { objectMode: false }));
      },
    );
  }
}
