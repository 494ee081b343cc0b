import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { SignedLinks } from '../../../lib/signed-links/index.ts';
import { gone } from '../../http/gone.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { ACTOR, type Authentication, actorOf, admitByLink } from '../../tenancy/index.ts';
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

/**
 * Checks the link before the body is read.
 * @throws 404 for an invalid link, or when the token of its holder is not valid any more
 */
function admission(authentication: Authentication, links: SignedLinks) {
  return async (request: FastifyRequest): Promise<void> => {
    const { link } = request.params as { readonly link: string };
    if (!(await admitByLink(authentication, request, links.open(link)))) throw notFound();
  };
}

/**
 * Verifies the link when it is used.
 * @throws 404 for a link that has just expired
 */
function linked(links: SignedLinks, text: string): string {
  const link = links.open(text);
  if (link === undefined) throw notFound();
  return link.id;
}
