import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { gone } from '../../http/gone.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { ACTOR, type Authentication, actorOf, admitByLink, type SignedLinks } from '../../tenancy/index.ts';
import type { ConfigurationUploads } from '../configuration-version/uploads.ts';
import type { RunPhases } from './phases.ts';

/**
 * Of a log, bytes at once.
 * @limit what is read of a log at once, bytes -> so much is sent
 */
const MAX_READ = 1_048_576;

const Whole = Type.String({ pattern: '^[0-9]{1,12}$' });
const Range = Type.Object({ limit: Type.Optional(Whole), offset: Type.Optional(Whole) });
const ByLink = Type.Object({ link: Type.String() });
/** The address itself stays out of the record: it is what lets in. */
const config = { secrets: ['link'] };

/** What is behind addresses that open one thing to whoever holds them: clients send no token there. */
export interface TransferRoutesOptions {
  readonly runPhases: RunPhases;
  readonly configurationUploads: ConfigurationUploads;
}

/** Archives in, and logs out, in a scope without authentication. */
export async function runTransferRoutes(
  scope: FastifyInstance,
  { runPhases, configurationUploads }: TransferRoutesOptions,
  authentication: Authentication,
): Promise<void> {
  scope.removeAllContentTypeParsers();
  // The handler reads the body itself, as it comes.
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.decorateRequest(ACTOR, undefined);
  const api = scope.withTypeProvider<TypeBoxTypeProvider>();

  api.put(
    '/configuration-uploads/:link',
    { config, schema: { params: ByLink }, onRequest: admission(authentication, configurationUploads.links) },
    async (request) => {
      const id = linked(configurationUploads.links, request.params.link);
      await configurationUploads.upload(actorOf(request), id, request.raw);
      return '';
    },
  );

  api.get(
    '/run-logs/:link',
    {
      config,
      schema: { params: ByLink, querystring: Range },
      exposeHeadRoute: false,
      onRequest: admission(authentication, runPhases.links),
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
        linked(runPhases.links, request.params.link),
        range,
        gone(reply),
      );
      reply.header('cache-control', 'no-store');
      return reply.send(Buffer.from(log));
    },
  );
}

/** Before any body is read. @throws 404 for a link that opens nothing, or whose holder is no more */
function admission(authentication: Authentication, links: SignedLinks) {
  return async (request: FastifyRequest): Promise<void> => {
    const { link } = request.params as { readonly link: string };
    if (!(await admitByLink(authentication, request, links.open(link)))) throw notFound();
  };
}

/** @throws 404 for one that has just come to its end */
function linked(links: SignedLinks, text: string): string {
  const link = links.open(text);
  if (link === undefined) throw notFound();
  return link.id;
}
