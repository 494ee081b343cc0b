import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, Id, resourceBody, text } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import { keyResource } from './document.ts';
import type { SshKeys } from './ssh-keys.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ ssh_key_id: Id });

const name = text(255);
const value = text(65_536);
const Create = resourceBody('ssh-keys', Type.Object({ name, value }), {});
const Update = resourceBody(
  ANY_TYPE,
  Type.Optional(Type.Object({ name: Type.Optional(name), value: Type.Optional(value) })),
  {},
);

/** Routes of SSH keys. */
export function sshKeyRoutes(api: Api, keys: SshKeys): void {
  const ofOrganization = '/organizations/:organization_name/ssh-keys';
  const one = { schema: { params: One } };

  api.get(
    ofOrganization,
    { schema: { params: OfOrganization, querystring: Type.Object(pageQuery) } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await keys.list(actorOf(request), request.params.organization_name, page);
      return pageDocument(urlOf(request), page, total, items.map(keyResource));
    },
  );

  api.post(ofOrganization, { schema: { params: OfOrganization, body: Create } }, async (request, reply) => {
    const { organization_name: organization } = request.params;
    const key = await keys.create(actorOf(request), organization, request.body.data.attributes);
    reply.code(201);
    return { data: keyResource(key) };
  });

  api.get('/ssh-keys/:ssh_key_id', one, async (request) => {
    return { data: keyResource(await keys.find(actorOf(request), request.params.ssh_key_id)) };
  });

  api.patch('/ssh-keys/:ssh_key_id', { schema: { params: One, body: Update } }, async (request) => {
    const input = request.body.data.attributes ?? {};
    return { data: keyResource(await keys.update(actorOf(request), request.params.ssh_key_id, input)) };
  });

  api.delete('/ssh-keys/:ssh_key_id', one, async (request, reply) => {
    await keys.delete(actorOf(request), request.params.ssh_key_id);
    reply.code(204);
  });
}
