import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, Id, resourceBody } from '../../jsonapi/schema.ts';
import { made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import { SshKeyResource } from './resource.ts';
import type { SshKeys } from './ssh-keys.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const One = Type.Object({ ssh_key_id: Id });

const Create = resourceBody('ssh-keys', SshKeyResource.create, {});
const Update = resourceBody(ANY_TYPE, Type.Optional(SshKeyResource.update), {});

/** Routes of SSH keys. */
export function sshKeyRoutes(api: Api, keys: SshKeys): void {
  const ofOrganization = '/organizations/:organization_name/ssh-keys';
  const answer = resourceAnswer(SshKeyResource);

  api.get(
    ofOrganization,
    {
      answer: pageAnswer(SshKeyResource),
      schema: { params: OfOrganization, querystring: Type.Object(pageQuery) },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await keys.list(actorOf(request), request.params.organization_name, page);
      return pageDocument(urlOf(request), page, total, items.map(SshKeyResource.document));
    },
  );

  const creation = { answer: made(SshKeyResource), schema: { params: OfOrganization, body: Create } };
  api.post(ofOrganization, creation, async (request, reply) => {
    const { organization_name: organization } = request.params;
    const key = await keys.create(actorOf(request), organization, request.body.data.attributes);
    reply.code(201);
    return { data: SshKeyResource.document(key) };
  });

  api.get('/ssh-keys/:ssh_key_id', { answer, schema: { params: One } }, async (request) => {
    return { data: SshKeyResource.document(await keys.find(actorOf(request), request.params.ssh_key_id)) };
  });

  api.patch('/ssh-keys/:ssh_key_id', { answer, schema: { params: One, body: Update } }, async (request) => {
    const input = request.body.data.attributes ?? {};
    return { data: SshKeyResource.document(await keys.update(actorOf(request), request.params.ssh_key_id, input)) };
  });

  api.delete('/ssh-keys/:ssh_key_id', { schema: { params: One } }, async (request, reply) => {
    await keys.delete(actorOf(request), request.params.ssh_key_id);
    reply.code(204);
  });
}
