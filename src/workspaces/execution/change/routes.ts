import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { apiOf } from '../../http/api.ts';
import { file } from '../../openapi/answer.ts';
import { ACTOR, type Authentication, actorOf, authenticationHook } from '../../tenancy/index.ts';
import type { ChangeStream } from './stream.ts';
import type { ChangeStreams } from './streams.ts';

const Query = Type.Object({ seconds: Type.Optional(Type.String({ pattern: '^([0-9]|[1-9][0-9]{1,3})$' })) });

/** Route of the event stream, in a scope of its own because the response is not a JSON:API document. */
export async function changeRoutes(
  scope: FastifyInstance,
  { changeStreams }: { readonly changeStreams: ChangeStreams },
  authentication: Authentication,
): Promise<void> {
  scope.decorateRequest(ACTOR, undefined);
  scope.addHook('onRequest', authenticationHook(authentication));
  apiOf(scope).get(
    '/events',
    {
      answer: file('text/event-stream', false),
      schema: { querystring: Query },
      exposeHeadRoute: false,
      onSend: async (_request, reply, payload) => {
        if (reply.statusCode === 200) reply.header('content-type', 'text/event-stream');
        return payload;
      },
    },
    async (request, reply) => {
      const last = [request.headers['last-event-id']].flat()[0];
      const stream = await changeStreams.open(actorOf(request), request.peer.address, last);
      try {
        request.event.endless(() => stream.end());
      } catch (error) {
        stream.destroy();
        throw error;
      }
      endAfter(stream, request.query);
      // Tells proxies not to buffer the stream.
      reply.header('x-accel-buffering', 'no');
      return reply.send(stream);
    },
  );
}

/** Ends the stream after the given number of seconds, if the client sets one. */
function endAfter(stream: ChangeStream, { seconds }: Static<typeof Query>): void {
  if (seconds === '0') stream.end();
  if (seconds === undefined || seconds === '0') return;
  const timer = setTimeout(() => stream.end(), Number(seconds) * 1000).unref();
  stream.once('close', () => clearTimeout(timer));
}
