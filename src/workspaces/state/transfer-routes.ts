import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { AppError } from '../../lib/errors.ts';
import type { Authentication } from '../authentication/authentication.ts';
import { ACTOR, actorOf } from '../http/api.ts';
import { authenticationHook } from '../http/authentication-hook.ts';
import { LINKS, type LinkKind, type LinkQuery } from './links.ts';
import { Outgoing } from './outgoing.ts';
import { OneStateVersion, SignedQuery } from './schema.ts';
import type { States } from './services.ts';
import type { StateVersion } from './state-version.ts';
import type { Form } from './uploads.ts';

interface Route {
  Params: Static<typeof OneStateVersion>;
  Querystring: Static<typeof SignedQuery>;
}
type TransferRequest = FastifyRequest<Route>;

/** States are no JSON:API; clients take them as they are. */
const TYPES: Readonly<Record<Form, string>> = { state: 'application/octet-stream', json: 'application/json' };
const SCHEMA = { params: OneStateVersion, querystring: SignedQuery };
const pathOf = (kind: LinkKind) => `/state-versions/:state_version_id/${LINKS[kind]}`;

/**
 * The bytes of states, in a scope without authentication: whoever has a signed address needs no token (facts §4.3). A download
 * without a signature takes a token; an upload is always signed.
 */
export async function transferRoutes(
  scope: FastifyInstance,
  states: States,
  authentication: Authentication,
): Promise<void> {
  scope.removeAllContentTypeParsers();
  // The handler reads the body itself, as it comes.
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.decorateRequest(ACTOR, undefined);
  for (const form of ['state', 'json'] as const) {
    downloadRoute(scope, states, form, authentication);
    uploadRoute(scope, states, form);
  }
}

function downloadRoute(scope: FastifyInstance, states: States, form: Form, authentication: Authentication): void {
  const kind = `${form}-download` as const;
  const authenticate = authenticationHook(authentication);
  scope.get<Route>(
    pathOf(kind),
    {
      schema: SCHEMA,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        if (!admit(states, kind, request)) await authenticate(request, reply);
        request.event.transfers();
      },
      onSend: async (_request, reply, payload) => {
        if (payload instanceof Readable) reply.header('content-type', TYPES[form]);
        return payload;
      },
    },
    async (request, reply) => send(states, form, await readable(states, kind, request), reply),
  );
}

function uploadRoute(scope: FastifyInstance, states: States, form: Form): void {
  const kind = `${form}-upload` as const;
  scope.put<Route>(
    pathOf(kind),
    {
      schema: SCHEMA,
      onRequest: async (request, reply) => {
        if (!admit(states, kind, request)) {
          reply.header('www-authenticate', 'Bearer');
          throw new AppError('unauthenticated', 'The address is not signed, or has expired');
        }
        request.event.transfers();
      },
    },
    async (request) => {
      const version = await states.uploads.find(request.params.state_version_id);
      if (form === 'state') await states.uploads.putState(version, request.raw);
      else await states.uploads.putJson(version, request.raw);
      return '';
    },
  );
}

/** Whether the address is signed. Whoever was given it stands in the record. */
function admit(states: States, kind: LinkKind, request: TransferRequest): boolean {
  const link = linkOf(states, kind, request);
  if (link) request.event.add({ actor_kind: 'signed-address', actor_id: link.by });
  return link !== undefined;
}

function linkOf({ links }: States, kind: LinkKind, { params, query }: TransferRequest) {
  // Not validated yet: a parameter that came twice is a list.
  const texts = Object.entries(query).filter(([, value]) => typeof value === 'string');
  return links.verify(kind, params.state_version_id, Object.fromEntries(texts) as LinkQuery);
}

function readable(states: States, kind: LinkKind, request: TransferRequest): Promise<StateVersion> {
  const { state_version_id: id } = request.params;
  if (linkOf(states, kind, request)) return states.uploads.find(id);
  return states.versions.find(actorOf(request), id, 'can-read-state-versions');
}

async function send({ uploads }: States, form: Form, version: StateVersion, reply: FastifyReply) {
  const { size, content } = await uploads.download(version, form);
  reply.header('content-length', size);
  return new Outgoing(content);
}
