import { Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import { type Api, urlOf } from '../../http/api.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, nullable, resourceBody, text } from '../../jsonapi/schema.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { MachineIdentities, MachineIdentity } from './identities.ts';

const OfTeam = Type.Object({ team_id: Id });
const One = Type.Object({ machine_identity_id: Id });

/** Something other than slashes alone, and nothing unprintable. */
const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000-\\u001f\\u007f]*[^/\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
});
const Create = resourceBody(
  'machine-identities',
  Type.Object({ mount: Name, role: Name, 'common-name': Type.Optional(nullable(text(255))) }),
  {},
);

function identityResource(identity: MachineIdentity): Resource {
  return {
    id: identity.id,
    type: 'machine-identities',
    attributes: {
      mount: identity.mount,
      role: identity.role,
      'common-name': identity.commonName === '' ? null : identity.commonName,
      'created-at': isoTime(identity.createdAt),
    },
    relationships: { team: toOne('teams', identity.teamId) },
    links: { self: `/api/v2/machine-identities/${identity.id}` },
  };
}

/** Machine identities: ours alone, no client of the original knows them. */
export function machineRoutes(api: Api, identities: MachineIdentities): void {
  const one = { schema: { params: One } };

  api.post(
    '/teams/:team_id/machine-identities',
    { schema: { params: OfTeam, body: Create } },
    async (request, reply) => {
      const { mount, role, 'common-name': commonName } = request.body.data.attributes;
      const input = { mount: mount.replace(/^\/+|\/+$/g, ''), role, commonName: commonName ?? '' };
      const identity = await identities.create(actorOf(request), request.params.team_id, input);
      reply.code(201);
      return { data: identityResource(identity) };
    },
  );

  api.get(
    '/teams/:team_id/machine-identities',
    { schema: { params: OfTeam, querystring: Type.Object(pageQuery) } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await identities.list(actorOf(request), request.params.team_id, page);
      return pageDocument(urlOf(request), page, total, items.map(identityResource));
    },
  );

  api.get('/machine-identities/:machine_identity_id', one, async (request) => {
    return { data: identityResource(await identities.find(actorOf(request), request.params.machine_identity_id)) };
  });

  api.delete('/machine-identities/:machine_identity_id', one, async (request, reply) => {
    await identities.delete(actorOf(request), request.params.machine_identity_id);
    reply.code(204);
  });
}
