import type { FastifyRequest } from 'fastify';
import type { Link, SignedLinks } from '../../../lib/signed-links/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
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

/**
 * Returns a hook for routes with a link in the path (`/…/:link`). It checks the link before the body is read.
 * @throws 404 for an invalid link, or when the token of its holder is not valid any more
 */
export function linkHook(authentication: Authentication, links: SignedLinks) {
  return async (request: FastifyRequest): Promise<void> => {
    const { link } = request.params as { readonly link: string };
    if (!(await admitByLink(authentication, request, links.open(link)))) throw notFound();
  };
}

/**
 * Returns the ID of the resource of a link, when the link is used.
 * @throws 404 for a link that has just expired
 */
export function linkedId(links: SignedLinks, text: string): string {
  const link = links.open(text);
  if (link === undefined) throw notFound();
  return link.id;
}
