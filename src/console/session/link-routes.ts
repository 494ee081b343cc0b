import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withinBlocks } from '../../lib/cidr.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { linkPath, type SignInLink } from './sign-in-link.ts';

const LOOPBACK = ['127.0.0.0/8', '::1'];

/**
 * Declares the route of a sign-in link. It answers on the loopback only: the link is for the person who reads the
 * terminal of the server.
 */
export function linkRoutes(
  app: FastifyInstance,
  sessions: Sessions,
  link: SignInLink,
  keep: (reply: FastifyReply, session: Session) => void,
): void {
  // A HEAD request of a preview must not use the code up.
  const options = { config: { secrets: ['code'] }, exposeHeadRoute: false };
  app.get(linkPath(':code'), options, async (request, reply) => {
    const { code } = request.params as { readonly code: string };
    const tokens = withinBlocks(request.peer.address, LOOPBACK) ? link.redeem(code) : undefined;
    if (tokens) {
      keep(reply, await signInAll(sessions, request, tokens));
      return reply.redirect('/app', 303);
    }
    // A browser may load a link twice. The second time it is signed in already.
    return reply.redirect(sessions.shown(request) ? '/app' : '/app/~sign-in?refused=link', 303);
  });
}

async function signInAll(sessions: Sessions, request: FastifyRequest, tokens: readonly string[]): Promise<Session> {
  const made: Session[] = [];
  for (const token of tokens) made.push(await sessions.signIn(request, token));
  return {
    endsAt: Math.max(...made.map(({ endsAt }) => endsAt)),
    held: Object.assign({}, ...made.map(({ held }) => held)),
  };
}
