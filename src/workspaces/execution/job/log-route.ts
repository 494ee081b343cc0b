import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../lib/errors.ts';
import { MAX_LOG_PIECE } from '../../../lib/job/limits.ts';
import { apiOf } from '../../http/api.ts';
import { bodyOf } from '../../http/request-body.ts';
import { Id } from '../../jsonapi/schema.ts';
import { resourceAnswer } from '../../openapi/answer.ts';
import { ACTOR, type Authentication, actorOf, authenticationHook } from '../../tenancy/index.ts';
import type { Jobs } from './jobs.ts';
import { JobStatusResource } from './resource.ts';

const OneJob = Type.Object({ job_id: Id });
const At = Type.Object({ offset: Type.String({ pattern: '^[0-9]{1,12}$' }) });

/** Route for the log of a job as bytes, in a scope without a body parser (our extension). */
export async function jobLogRoute(
  scope: FastifyInstance,
  { jobs }: { readonly jobs: Jobs },
  authentication: Authentication,
): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.decorateRequest(ACTOR, undefined);
  scope.addHook('onRequest', authenticationHook(authentication));
  const api = apiOf(scope);

  api.patch(
    '/jobs/:job_id/log',
    { answer: resourceAnswer(JobStatusResource), schema: { params: OneJob, querystring: At } },
    async (request) => {
      const { job_id: id } = request.params;
      const bytes = await atMost(bodyOf(request.raw));
      const status = await jobs.log(actorOf(request), id, Number(request.query.offset), bytes);
      return { data: JobStatusResource.document({ ...status, id }) };
    },
  );
}

async function atMost(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > MAX_LOG_PIECE)
      throw new AppError('too-large', `At most ${MAX_LOG_PIECE} bytes of a log can be sent at once. Split the log`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
