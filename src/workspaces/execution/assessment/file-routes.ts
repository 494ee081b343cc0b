import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { apiOf } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { type Answer, file, orNothing } from '../../openapi/answer.ts';
import { ACTOR, type Authentication, actorOf, authenticationHook } from '../../tenancy/index.ts';
import { type AssessmentFile, type Assessments, FILES } from './assessments.ts';

const One = Type.Object({ assessment_result_id: Id });
const MEDIA_TYPES: Readonly<Record<AssessmentFile, string>> = {
  'json-output': 'application/json',
  'json-schema': 'application/json',
  'log-output': 'text/plain; charset=utf-8',
};

const ANSWERS: Readonly<Record<AssessmentFile, Answer>> = {
  'json-output': file('application/json', false),
  'json-schema': file('application/json', false),
  'log-output': file('text/plain', false),
};

/** Routes that download the outputs of assessments. */
export async function assessmentFileRoutes(
  scope: FastifyInstance,
  { assessments }: { readonly assessments: Assessments },
  authentication: Authentication,
): Promise<void> {
  scope.decorateRequest(ACTOR, undefined);
  scope.addHook('onRequest', authenticationHook(authentication));
  const api = apiOf(scope);

  for (const name of Object.keys(FILES) as AssessmentFile[]) {
    api.get(
      `/assessment-results/:assessment_result_id/${name}`,
      {
        answer: orNothing(ANSWERS[name]),
        schema: { params: One },
        exposeHeadRoute: false,
        onSend: async (_request, reply, payload) => {
          if (payload instanceof Readable) reply.header('content-type', MEDIA_TYPES[name]);
          return payload;
        },
      },
      async (request, reply) => {
        const output = await assessments.file(actorOf(request), request.params.assessment_result_id, name);
        reply.header('cache-control', 'no-store');
        if (output === undefined) return reply.code(204).send();
        reply.header('content-length', output.size);
        return reply.send(Readable.from(output.content, { objectMode: false }));
      },
    );
  }
}
