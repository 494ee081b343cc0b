import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { pageAnswer } from '../../openapi/answer.ts';
import { tokenIdOf } from '../authentication/credential.ts';
import { actorOf } from '../permissions/request-actor.ts';
import { SessionResource } from './resource.ts';
import type { Sessions } from './sessions.ts';

const OfUser = Type.Object({ user_id: Id });
const One = Type.Object({ session_id: Id });
const List = Type.Object(pageQuery);

/** Routes for a user's sessions, for the user and for site administrators. HCP Terraform does not have them. */
export function sessionRoutes(api: Api, sessions: Sessions): void {
  const ofUser = '/users/:user_id/sessions';

  api.get(
    ofUser,
    { answer: pageAnswer(SessionResource), schema: { params: OfUser, querystring: List } },
    async (request) => {
      const page = pageOf(request.query);
      const actor = actorOf(request);
      const { items, total } = await sessions.list(actor, request.params.user_id, page);
      const own = tokenIdOf(actor);
      const data = items.map((session) => SessionResource.document(session, own));
      return pageDocument(urlOf(request), page, total, data);
    },
  );

  api.delete(ofUser, { schema: { params: OfUser } }, async (request, reply) => {
    await sessions.endAll(actorOf(request), request.params.user_id);
    reply.code(204);
  });

  api.delete('/sessions/:session_id', { schema: { params: One } }, async (request, reply) => {
    await sessions.end(actorOf(request), request.params.session_id);
    reply.code(204);
  });
}
