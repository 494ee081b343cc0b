import { Type } from 'typebox';
import { type Api, actorOf } from '../http/api.ts';
import { Id } from '../jsonapi/schema.ts';
import { userResource } from './document.ts';
import type { Users } from './users.ts';

/** The account of the caller, and other users. */
export function userRoutes(api: Api, users: Users): void {
  api.get('/account/details', async (request) => {
    const actor = actorOf(request);
    return { data: userResource(await users.account(actor), actor) };
  });

  api.get('/users/:user_id', { schema: { params: Type.Object({ user_id: Id }) } }, async (request) => {
    const actor = actorOf(request);
    return { data: userResource(await users.find(actor, request.params.user_id), actor) };
  });
}
