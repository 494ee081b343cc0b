import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id, resourceBody } from '../../jsonapi/schema.ts';
import { listAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { Passkeys } from './passkeys.ts';
import { PasskeyResource } from './resource.ts';

const OfUser = Type.Object({ user_id: Id });
const One = Type.Object({ passkey_id: Id });
const Update = resourceBody('passkeys', PasskeyResource.update, {});

/**
 * Routes for a user's passkeys, for the user and for site administrators. HCP Terraform does not have them. The console
 * registers passkeys, because only a browser can create them.
 */
export function passkeyRoutes(api: Api, passkeys: Passkeys): void {
  api.get(
    '/users/:user_id/passkeys',
    { answer: listAnswer(PasskeyResource), schema: { params: OfUser } },
    async (request) => {
      const found = await passkeys.list(actorOf(request), request.params.user_id);
      return { data: found.map(PasskeyResource.document) };
    },
  );

  api.patch(
    '/passkeys/:passkey_id',
    { answer: resourceAnswer(PasskeyResource), schema: { params: One, body: Update } },
    async (request) => {
      const { name } = request.body.data.attributes;
      return {
        data: PasskeyResource.document(await passkeys.rename(actorOf(request), request.params.passkey_id, name)),
      };
    },
  );

  api.delete('/passkeys/:passkey_id', { schema: { params: One } }, async (request, reply) => {
    await passkeys.remove(actorOf(request), request.params.passkey_id);
    reply.code(204);
  });
}
