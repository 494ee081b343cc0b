import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../lib/errors.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { Sessions } from './sessions.ts';

/** Error code that the console recognizes. */
const SIGN_IN_AGAIN = 'sign-in-again';

/**
 * Routes that create tokens or links of invitations, or let machines and pipelines act for a team: their effect outlives
 * the session.
 */
const LETS_IN = /\/(?:authentication-tokens?|(?:machine|pipeline)-identities|actions\/create-link)$/;
const CHANGES_WHO = /\/(?:machine|pipeline)-identities\/:\w+$/;
/** Routes that change the identity provider: it could sign in as any of its users. */
const DECIDES_WHO = /\/sign-in-provider$/;
const DELETES_ORGANIZATION = /\/organizations\/:organization_name$/;

/** Requires a recent sign-in for the sensitive routes that are declared after this call. */
export function askAgain(app: FastifyInstance, sessions: Sessions): void {
  const assertRecent = async (request: FastifyRequest) => {
    if (await sessions.isRecent(actorOf(request))) return;
    const detail = 'Your last sign-in is too long ago for this action. Sign in with your identity provider again';
    throw new AppError('forbidden', detail, { issues: [{ detail, code: SIGN_IN_AGAIN }] });
  };
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    const isGuarded =
      (methods.includes('POST') && LETS_IN.test(route.url)) ||
      (methods.includes('PATCH') && CHANGES_WHO.test(route.url)) ||
      (!methods.includes('GET') && DECIDES_WHO.test(route.url)) ||
      (methods.includes('DELETE') && DELETES_ORGANIZATION.test(route.url));
    if (isGuarded) route.preHandler = [assertRecent, ...[route.preHandler ?? []].flat()];
  });
}
