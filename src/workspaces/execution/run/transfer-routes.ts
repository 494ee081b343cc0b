import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { apiOf } from '../../http/api.ts';
import { gone } from '../../http/gone.ts';
import { file, open, stored } from '../../openapi/answer.ts';
import { ACTOR, type Authentication, actorOf, linkedId, linkHook } from '../../tenancy/index.ts';
import type { ConfigurationUploads } from '../configuration-version/uploads.ts';
import type { RunPhases } from './phases.ts';

/**
 * Bytes of a log in one response.
 * @limit one read of a log, bytes -> the response is cut here
 */
const MAX_READ = 1_048_576;

const Whole = Type.String({ pattern: '^[0-9]{1,12}$' });
const Range = Type.Object({ limit: Type.Optional(Whole), offset: Type.Optional(Whole) });
const ByLink = Type.Object({ link: Type.String() });
/** The URL stays out of the audit log, because it is a credential. */
const config = { secrets: ['link'] };

/** Services behind signed URLs. Clients send no token there, because the URL itself gives access to one object. */
export interface TransferRoutesOptions {
  readonly runPhases: RunPhases;
  readonly configurationUploads: ConfigurationUploads;
}

/** Routes for archive uploads and log downloads, in a scope without authentication. */
export async function runTransferRoutes(
  scope: FastifyInstance,
  { runPhases, configurationUploads }: TransferRoutesOptions,
  authentication: Authentication,
): Promise<void> {
  scope.removeAllContentTypeParsers();
  // The handler reads the body itself as a stream.
  scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null));
  scope.decorateRequest(ACTOR, undefined);
  const api = apiOf(scope);

  api.put(
    '/configuration-uploads/:link',
    {
      answer: stored,
      config,
      schema: { params: ByLink },
      onRequest: linkHook(authentication, configurationUploads.links),
    },
    async (request) => {
      const id = linkedId(configurationUploads.links, request.params.link);
      await configurationUploads.upload(actorOf(request), id, request.raw);
      return '';
    },
  );

  api.get(
    '/run-logs/:link',
    {
      answer: open(file('text/plain', false)),
      config,
      schema: { params: ByLink, querystring: Range },
      exposeHeadRoute: false,
      onRequest: linkHook(authentication, runPhases.links),
      onSend: async (_request, reply, payload) => {
        if (reply.statusCode === 200) reply.header('content-type', 'text/plain; charset=utf-8');
        return payload;
      },
    },
    async (request, reply) => {
      const { limit = String(MAX_READ), offset = '0' } = request.query;
      const range = { offset: Number(offset), limit: Math.min(Number(limit), MAX_READ) };
      const log = await runPhases.log(
        actorOf(request),
        linkedId(runPhases.links, request.params.link),
        range,
        gone(reply),
      );
      reply.header('cache-control', 'no-store');
      return reply.send(Buffer.from(log));
    },
  );
}
