import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { Id, resourceBody, text } from '../../jsonapi/schema.ts';
import { done, made } from '../../openapi/answer.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { InvitationLinks } from './links.ts';
import { InvitationLinkResource } from './resource.ts';

const One = Type.Object({ membership_id: Id });
const Answer = resourceBody('invitation-links', Type.Object({ secret: text(100) }), {});

/**
 * Routes for links of invitations, which HCP Terraform does not have.
 * @param address URL of this server, if it is configured
 */
export function invitationRoutes(api: Api, links: InvitationLinks, address: string | undefined): void {
  const create = '/organization-memberships/:membership_id/actions/create-link';
  api.post(create, { answer: made(InvitationLinkResource), schema: { params: One } }, async (request, reply) => {
    const { membership_id: id } = request.params;
    const link = await links.create(actorOf(request), id);
    reply.code(201);
    return {
      data: InvitationLinkResource.document(link, { membershipId: id, origin: address ?? urlOf(request).origin }),
    };
  });

  for (const answer of ['accept', 'decline'] as const) {
    api.post(
      `/invitation-links/actions/${answer}`,
      { answer: done, schema: { body: Answer } },
      async (request, reply) => {
        await links.answer(actorOf(request), request.body.data.attributes.secret, answer === 'accept');
        reply.code(204);
      },
    );
  }
}
