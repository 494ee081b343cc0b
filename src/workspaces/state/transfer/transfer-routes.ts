import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { AppError } from '../../../lib/errors.ts';
import type { Link } from '../../../lib/signed-links/index.ts';
import { apiOf } from '../../http/api.ts';
import { file, stored } from '../../openapi/answer.ts';
import { ACTOR, type Authentication, actorOf, admitByLink, authenticationHook } from '../../tenancy/index.ts';
import { LINKS, type StateLinkKind, type StateLinks } from '../version/links.ts';
import { OneStateVersion, SignedQuery } from '../version/schema.ts';
import type { StateVersion } from '../version/state-version.ts';
import type { StateVersions } from '../version/versions.ts';
import { Outgoing } from './outgoing.ts';
import type { Form, StateUploads } from './uploads.ts';

interface TransferRequest {
  readonly params: Static<typeof OneStateVersion>;
  readonly query: Static<typeof SignedQuery>;
}

/** Clients accept states only as plain bytes, not as JSON:API. */
const TYPES: Readonly<Record<Form, string>> = { state: 'application/octet-stream', json: 'application/json' };
const SCHEMA = { params: OneStateVersion, querystring: SignedQuery };
const NOT_LET_IN = 'The URL is not signed or has expired, or the token for which it was created is no longer valid';
const pathOf = (kind: StateLinkKind) => `/state-versions/:state_version_id/${LINKS[kind]}`;

/** Services behind the routes. */
export interface TransferServices {
  readonly versions: StateVersions;
  readonly uploads: StateUploads;
  readonly links: StateLinks;
}

/**
 * Routes for the bytes of states. A signed URL needs no token; the server checks the permissions of the
 * actor for whom it was signed. Downloads also accept a token; uploads always need a signed URL.
 */
export async function stateTransferRoutes(
  scope: FastifyInstance,
  states: TransferServices,
  authentication: Authentication,
): Promise<void> {
  scope.removeAllContentTypeParsers();
  // The handler streams the body itself.
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.decorateRequest(ACTOR, undefined);
  for (const form of ['state', 'json'] as const) {
    downloadRoute(scope, states, form, authentication);
    uploadRoute(scope, states, form, authentication);
  }
}

function downloadRoute(
  scope: FastifyInstance,
  states: TransferServices,
  form: Form,
  authentication: Authentication,
): void {
  const kind = `${form}-download` as const;
  const authenticate = authenticationHook(authentication);
  apiOf(scope).get(
    pathOf(kind),
    {
      answer: file(TYPES[form], true),
      schema: SCHEMA,
      exposeHeadRoute: false,
      onRequest: async (request) => {
        if (!(await admitByLink(authentication, request, linkOf(states, kind, request)))) {
          await authenticate(request);
        }
        request.event.transfers();
      },
      onSend: async (_request, reply, payload) => {
        if (payload instanceof Readable) reply.header('content-type', TYPES[form]);
        return payload;
      },
    },
    async (request, reply) => {
      const { state_version_id: id } = request.params;
      const version = await states.versions.find(actorOf(request), id, 'can-read-state-versions');
      return send(states, form, version, reply);
    },
  );
}

function uploadRoute(
  scope: FastifyInstance,
  states: TransferServices,
  form: Form,
  authentication: Authentication,
): void {
  const kind = `${form}-upload` as const;
  apiOf(scope).put(
    pathOf(kind),
    {
      answer: stored,
      schema: SCHEMA,
      onRequest: async (request) => {
        if (!(await admitByLink(authentication, request, linkOf(states, kind, request)))) {
          throw new AppError('unauthenticated', NOT_LET_IN);
        }
        request.event.transfers();
      },
    },
    async (request) => {
      const version = await states.versions.findAnnounced(actorOf(request), request.params.state_version_id);
      if (form === 'state') await states.uploads.putState(version, request.raw);
      else await states.uploads.putJson(version, request.raw);
      return '';
    },
  );
}

/** The query is not validated yet: a repeated parameter is an array. */
function linkOf(
  { links }: TransferServices,
  kind: StateLinkKind,
  { params, query }: TransferRequest,
): Link | undefined {
  const text: unknown = query.link;
  const link = typeof text === 'string' ? links[kind].open(text) : undefined;
  return link?.id === params.state_version_id ? link : undefined;
}

async function send({ uploads }: TransferServices, form: Form, version: StateVersion, reply: FastifyReply) {
  const { size, content } = await uploads.download(version, form);
  reply.header('content-length', size);
  return new Outgoing(content);
}
