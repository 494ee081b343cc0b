import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../lib/errors.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { Sessions } from './sessions.ts';

/** By which the console knows what to do. */
const SIGN_IN_AGAIN = 'sign-in-again';

/** Whatever makes a token, of whomever, or lets machines and pipelines act for somebody: it goes on when the session is over. */
const LETS_IN = /\/(?:authentication-tokens?|(?:machine|pipeline)-identities)$/;
const CHANGES_WHO = /\/(?:machine|pipeline)-identities\/:\w+$/;
/** Who decides who people are could be any of them. */
const DECIDES_WHO = /\/sign-in-provider$/;
const DELETES_ORGANIZATION = /\/organizations\/:organization_name$/;

/** For the routes that are declared afterwards: those that nobody undoes want somebody who has proved lately who they are. */
export function askAgain(app: FastifyInstance, sessions: Sessions): void {
  const assertRecent = async (request: FastifyRequest) => {
    if (await sessions.isRecent(actorOf(request))) return;
    const detail = 'It is a while since you proved who you are. Sign in with your provider once more';
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
