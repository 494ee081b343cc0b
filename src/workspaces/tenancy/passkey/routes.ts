import { Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import type { Api } from '../../http/api.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import { Id, resourceBody, text } from '../../jsonapi/schema.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { Passkey, Passkeys } from './passkeys.ts';

const OfUser = Type.Object({ user_id: Id });
const One = Type.Object({ passkey_id: Id });
const Update = resourceBody('passkeys', Type.Object({ name: text(100) }), {});

/**
 * Routes for a user's passkeys, for the user and for site administrators. HCP Terraform does not have them. The console
 * registers passkeys, because only a browser can create them.
 */
export function passkeyRoutes(api: Api, passkeys: Passkeys): void {
  api.get('/users/:user_id/passkeys', { schema: { params: OfUser } }, async (request) => {
    const found = await passkeys.list(actorOf(request), request.params.user_id);
    return { data: found.map(passkeyResource) };
  });

  api.patch('/passkeys/:passkey_id', { schema: { params: One, body: Update } }, async (request) => {
    const { name } = request.body.data.attributes;
    return { data: passkeyResource(await passkeys.rename(actorOf(request), request.params.passkey_id, name)) };
  });

  api.delete('/passkeys/:passkey_id', { schema: { params: One } }, async (request, reply) => {
    await passkeys.remove(actorOf(request), request.params.passkey_id);
    reply.code(204);
  });
}

function passkeyResource(passkey: Passkey): Resource {
  const { id, userId, name, host, isSyncable, isSynced, transports, createdAt, lastUsedAt } = passkey;
  return {
    id,
    type: 'passkeys',
    attributes: {
      ...{ name, host, 'is-syncable': isSyncable === 1, 'is-synced': isSynced === 1 },
      transports: transports === '' ? [] : transports.split(','),
      'created-at': isoTime(createdAt),
      'last-used-at': lastUsedAt === null ? null : isoTime(lastUsedAt),
    },
    relationships: { user: toOne('users', userId) },
  };
}
