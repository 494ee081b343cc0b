import type { FastifyRequest } from 'fastify';
import type { Authentication } from '../authentication/authentication.ts';
import { eventOf } from '../authentication/authentication-hook.ts';
import { ACTOR } from '../permissions/request-actor.ts';
import type { Link } from './signed-links.ts';

/**
 * Lets a request in that has no token, in the name of whom its link was made for, as they are now: what they may do is asked
 * as of any other request. They stand in the record, and that it was a link.
 * @returns whether it is in: not without a link, nor when whom it was made for is no more
 */
export async function admitByLink(
  authentication: Authentication,
  request: FastifyRequest,
  link: Link | undefined,
): Promise<boolean> {
  const actor = link && (await authentication.recall(link.holder, request.peer.address));
  if (actor === undefined) return false;
  request.setDecorator(ACTOR, actor);
  request.event.add({ ...eventOf(actor), actor_kind: 'signed-address' });
  return true;
}
