import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id, nullable, resourceBody, text } from '../../jsonapi/schema.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { userResource } from './document.ts';
import type { Users } from './users.ts';

const Update = resourceBody(
  'users',
  Type.Optional(
    Type.Object({ username: Type.Optional(nullable(text(60))), email: Type.Optional(nullable(text(254))) }),
  ),
  {},
);

function isSet(value: string | null | undefined): value is string {
  return value !== undefined && value !== null;
}

/** Routes for the caller's account and other users. There are no passwords to change. */
export function userRoutes(api: Api, users: Users): void {
  api.get('/account/details', {}, async (request) => {
    const actor = actorOf(request);
    return { data: userResource(await users.account(actor), actor) };
  });

  api.patch('/account/update', { schema: { body: Update } }, async (request) => {
    const actor = actorOf(request);
    const { username, email } = request.body.data.attributes ?? {};
    const input = { ...(isSet(username) && { username }), ...(isSet(email) && { email }) };
    return { data: userResource(await users.update(actor, input), actor) };
  });

  api.get('/users/:user_id', { schema: { params: Type.Object({ user_id: Id }) } }, async (request) => {
    const actor = actorOf(request);
    return { data: userResource(await users.find(actor, request.params.user_id), actor) };
  });
}
