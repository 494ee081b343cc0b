import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id } from '../../jsonapi/schema.ts';
import { resourceAnswer } from '../../openapi/answer.ts';
import { updateBody } from '../../resource/index.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { UserResource, userResource } from './resource.ts';
import type { Users } from './users.ts';

const Update = updateBody(UserResource, {});

function isSet(value: string | null | undefined): value is string {
  return value !== undefined && value !== null;
}

/** Routes for the caller's account and other users. There are no passwords to change. */
export function userRoutes(api: Api, users: Users): void {
  api.get('/account/details', { answer: resourceAnswer(UserResource) }, async (request) => {
    const actor = actorOf(request);
    return { data: userResource(await users.account(actor), actor) };
  });

  api.patch('/account/update', { answer: resourceAnswer(UserResource), schema: { body: Update } }, async (request) => {
    const actor = actorOf(request);
    const { username, email } = request.body.data.attributes ?? {};
    const input = { ...(isSet(username) && { username }), ...(isSet(email) && { email }) };
    return { data: userResource(await users.update(actor, input), actor) };
  });

  api.get(
    '/users/:user_id',
    { answer: resourceAnswer(UserResource), schema: { params: Type.Object({ user_id: Id }) } },
    async (request) => {
      const actor = actorOf(request);
      return { data: userResource(await users.find(actor, request.params.user_id), actor) };
    },
  );
}
