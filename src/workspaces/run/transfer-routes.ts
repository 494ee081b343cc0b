import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ConfigurationUploads } from '../configuration-version/uploads.ts';
import type { RunPhases } from './phases.ts';

/** Of a log, bytes at once. */
const MAX_READ = 1_048_576;

const Whole = Type.String({ pattern: '^[0-9]{1,12}$' });
const Range = Type.Object({ limit: Type.Optional(Whole), offset: Type.Optional(Whole) });
const ByLink = Type.Object({ link: Type.String({ maxLength: 200 }) });
/** The address itself stays out of the record: it is what lets in. */
const config = { secrets: ['link'] };

/** What is behind addresses that open one thing to whoever holds them: clients send no token there. */
export interface TransferRoutesOptions {
  readonly runPhases: RunPhases;
  readonly configurationUploads: ConfigurationUploads;
}

/** Archives in, and logs out, in a scope without authentication. */
export async function runTransferRoutes(scope: FastifyInstance, services: TransferRoutesOptions): Promise<void> {
  const { runPhases, configurationUploads } = services;
  scope.removeAllContentTypeParsers();
  // The handler reads the body itself, as it comes.
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.addHook('onRequest', async (request) => record(request));
  const api = scope.withTypeProvider<TypeBoxTypeProvider>();

  api.put('/configuration-uploads/:link', { config, schema: { params: ByLink } }, async (request) => {
    await configurationUploads.upload(request.params.link, request.raw);
    return '';
  });

  api.get(
    '/run-logs/:link',
    {
      config,
      schema: { params: ByLink, querystring: Range },
      exposeHeadRoute: false,
      onSend: async (_request, reply, payload) => {
        if (reply.statusCode === 200) reply.header('content-type', 'text/plain; charset=utf-8');
        return payload;
      },
    },
    async (request, reply) => {
      const { limit = String(MAX_READ), offset = '0' } = request.query;
      const range = { offset: Number(offset), limit: Math.min(Number(limit), MAX_READ) };
      const log = await runPhases.log(request.params.link, range);
      reply.header('cache-control', 'no-store');
      return reply.send(Buffer.from(log));
    },
  );
}

function record(request: FastifyRequest): void {
  request.event.add({ actor_kind: 'signed-address' });
}
