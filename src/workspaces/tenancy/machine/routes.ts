import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { AppError } from '../../../lib/errors.ts';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { createBody } from '../../resource/index.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { MachineIdentities } from './identities.ts';
import { MachineIdentityResource } from './resource.ts';
import type { IdentityOwner } from './store.ts';

const OfTeam = Type.Object({ team_id: Id });
const OfPool = Type.Object({ agent_pool_id: Id });
const List = Type.Object(pageQuery);
/** Common name of the certificate; empty for a certificate without one. */
const CommonName = Type.Optional(text(255));
const All = Type.Object({
  ...pageQuery,
  'filter[mount]': Type.Optional(text(300)),
  'filter[role]': Type.Optional(text(300)),
  'filter[common-name]': CommonName,
});
const One = Type.Object({ machine_identity_id: Id });
const Create = createBody(MachineIdentityResource, {});
type NewIdentity = Static<typeof Create>;

/** Returns the mount without leading and trailing slashes. */
const bare = (mount: string): string => mount.replace(/^\/+|\/+$/g, '');

/** Routes for machine identities. HCP Terraform does not have them. */
export function machineRoutes(api: Api, identities: MachineIdentities): void {
  const one = { schema: { params: One } };

  async function create(request: FastifyRequest, reply: FastifyReply, owner: IdentityOwner, { data }: NewIdentity) {
    const { mount, role, 'common-name': commonName } = data.attributes;
    const input = { mount: bare(mount), role, commonName: commonName ?? '' };
    const identity = await identities.create(actorOf(request), owner, input);
    reply.code(201);
    return { data: MachineIdentityResource.document(identity) };
  }

  async function list(request: FastifyRequest, owner: IdentityOwner, query: Static<typeof List>) {
    const page = pageOf(query);
    const { items, total } = await identities.list(actorOf(request), owner, page);
    return pageDocument(urlOf(request), page, total, items.map(MachineIdentityResource.document));
  }

  const ofTeam = '/teams/:team_id/machine-identities';
  api.post(
    ofTeam,
    { answer: made(MachineIdentityResource), schema: { params: OfTeam, body: Create } },
    (request, reply) => create(request, reply, { type: 'teams', id: request.params.team_id }, request.body),
  );
  api.get(
    ofTeam,
    { answer: pageAnswer(MachineIdentityResource), schema: { params: OfTeam, querystring: List } },
    (request) => list(request, { type: 'teams', id: request.params.team_id }, request.query),
  );

  const ofPool = '/agent-pools/:agent_pool_id/machine-identities';
  api.post(
    ofPool,
    { answer: made(MachineIdentityResource), schema: { params: OfPool, body: Create } },
    (request, reply) => create(request, reply, { type: 'agent-pools', id: request.params.agent_pool_id }, request.body),
  );
  api.get(
    ofPool,
    { answer: pageAnswer(MachineIdentityResource), schema: { params: OfPool, querystring: List } },
    (request) => list(request, { type: 'agent-pools', id: request.params.agent_pool_id }, request.query),
  );

  api.get(
    '/machine-identities',
    { answer: pageAnswer(MachineIdentityResource), schema: { querystring: All } },
    async (request) => {
      const { 'filter[mount]': mount, 'filter[role]': role, 'filter[common-name]': commonName } = request.query;
      const page = pageOf(request.query);
      const actor = actorOf(request);
      const filter = { mount: mount === undefined ? undefined : bare(mount), role };
      const { items, total } =
        commonName === undefined
          ? await identities.all(actor, filter, page)
          : await identities.decidingFor(actor, { ...wholeLogin(filter), commonName }, page);
      return pageDocument(urlOf(request), page, total, items.map(MachineIdentityResource.document));
    },
  );

  api.get(
    '/machine-identities/:machine_identity_id',
    { answer: resourceAnswer(MachineIdentityResource), ...one },
    async (request) => {
      return {
        data: MachineIdentityResource.document(
          await identities.find(actorOf(request), request.params.machine_identity_id),
        ),
      };
    },
  );

  api.delete('/machine-identities/:machine_identity_id', one, async (request, reply) => {
    await identities.delete(actorOf(request), request.params.machine_identity_id);
    reply.code(204);
  });
}

/**
 * A filter by common name needs the mount and the role.
 * @throws 400
 */
function wholeLogin({ mount, role }: { readonly mount?: string | undefined; readonly role?: string | undefined }) {
  if (mount !== undefined && role !== undefined) return { mount, role };
  const detail = 'filter[common-name] requires filter[mount] and filter[role]';
  throw new AppError('bad-request', detail, { issues: [{ detail, parameter: 'filter[common-name]' }] });
}
