import type { FastifyRequest } from 'fastify';
import type { Link } from '../../../lib/signed-links/index.ts';
import { ACTOR } from '../permissions/request-actor.ts';
import type { Authentication } from './authentication.ts';
import { eventOf } from './authentication-hook.ts';

/**
 * Authenticates a request with a signed link instead of a token. The request acts as the actor that the link was made
 * for, with its current permissions. The audit log shows the actor and that a link was used.
 * @returns false without a link, or if the actor no longer exists
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
