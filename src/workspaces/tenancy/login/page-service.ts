import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, type ErrorShape } from '../../../lib/errors.ts';
import type { Service } from '../../../lib/service.ts';
import type { UserActor } from '../permissions/actor.ts';
import { answerTo, LOGIN_CLIENT, type Parameters, readAuthorizationRequest } from './authorization-request.ts';
import { acceptForms, fieldOf, formOf, sameOriginHook, wantedToken } from './form.ts';
import { ANSWERS_PATH, askPage, INVITATIONS_PAGE, invitationForms, invitationsPage } from './invitation-pages.ts';
import type { Invitations } from './invitations.ts';
import { pageHeaders } from './layout.ts';
import type { Logins } from './logins.ts';
import { authorizePage, issuedPage, refusedPage, TOKEN_PAGE, tokenPage } from './pages.ts';

const PREFIX = '/app';
const WRONG_TOKEN = 'That token is unknown or expired, or it is not the token of a user. Try another one.';

const errors: ErrorShape = {
  contentType: 'text/html; charset=utf-8',
  statuses: {},
  body: (_status, error) => refusedPage(error?.message ?? 'Something went wrong on our side'),
};

/** The pages where people log a command line in (facts §4.6), and answer invitations. They work without scripts. */
export function pageService(logins: Logins, invitations: Invitations): Service {
  return {
    name: 'pages',
    prefix: PREFIX,
    errors,
    notFound: () => new AppError('not-found', 'There is no such page'),
    routes(app) {
      acceptForms(app);
      app.addHook('onRequest', async ({ hostname }, reply) => {
        reply.headers(pageHeaders());
        // Strict transport security holds for every port of a host: the command line, which listens there without TLS, too.
        if (hostname === 'localhost') reply.removeHeader('strict-transport-security');
      });
      authorizeRoutes(app, logins);
      tokenRoutes(app, logins, invitations);
      invitationRoutes(app, logins, invitations);
    },
  };
}

/** The authorization endpoint of OAuth 2.0 (RFC 6749 §3.1). */
function authorizeRoutes(app: FastifyInstance, logins: Logins): void {
  const path = LOGIN_CLIENT.authorizePath.slice(PREFIX.length);

  app.get(path, async (request, reply) => {
    const asked = readAuthorizationRequest(request.query as Parameters);
    return reply.headers(pageHeaders(new URL(asked.redirectUri).origin)).send(authorizePage(asked, ''));
  });

  app.post(path, { preHandler: sameOriginHook }, async (request, reply) => {
    const asked = readAuthorizationRequest(formOf(request));
    const wanted = wantedToken(request);
    const user = await signIn(request, logins);
    if (!user) {
      const headers = pageHeaders(new URL(asked.redirectUri).origin);
      return reply.code(403).headers(headers).send(authorizePage(asked, WRONG_TOKEN));
    }
    return reply.redirect(answerTo(asked, await logins.authorize(user, asked, wanted)), 303);
  });
}

/** Where the command lines send people for a token when they cannot log in by OAuth. */
function tokenRoutes(app: FastifyInstance, logins: Logins, invitations: Invitations): void {
  const path = TOKEN_PAGE.slice(PREFIX.length);

  app.get(path, async (request) => {
    return tokenPage((request.query as Parameters).source === 'terraform-login', '');
  });

  app.post(path, { preHandler: sameOriginHook }, async (request, reply) => {
    const wanted = wantedToken(request);
    const user = await signIn(request, logins);
    if (!user) return reply.code(403).send(tokenPage(false, WRONG_TOKEN));
    const waiting = invitationForms(await invitations.waiting(user), invitations.ticket(user));
    return issuedPage(user.username, await logins.issue(user, wanted), waiting);
  });
}

/** Whoever has just shown a token answers with a ticket that was made for it. */
function invitationRoutes(app: FastifyInstance, logins: Logins, invitations: Invitations): void {
  const path = INVITATIONS_PAGE.slice(PREFIX.length);

  app.get(path, async () => askPage(''));

  app.post(path, { preHandler: sameOriginHook }, async (request, reply) => {
    const user = await signIn(request, logins);
    if (!user) return reply.code(403).send(askPage(WRONG_TOKEN));
    return invitationsPage('', await invitations.waiting(user), invitations.ticket(user));
  });

  app.post(ANSWERS_PATH.slice(PREFIX.length), { preHandler: sameOriginHook }, async (request) => {
    const user = await invitations.holder(fieldOf(request, 'ticket'));
    nameUser(request, user);
    const answer = fieldOf(request, 'answer');
    if (answer !== 'accept' && answer !== 'decline') {
      throw new AppError('bad-request', 'An invitation is accepted or declined');
    }
    await invitations.answer(user, fieldOf(request, 'invitation'), answer === 'accept');
    const done = answer === 'accept' ? 'You are a member now.' : 'The invitation is gone.';
    return invitationsPage(done, await invitations.waiting(user), invitations.ticket(user));
  });
}

/** The user behind the token in the form, who is then named in the log and the audit record. */
async function signIn(request: FastifyRequest, logins: Logins): Promise<UserActor | undefined> {
  const user = await logins.userOf(fieldOf(request, 'token'), request.peer.address);
  if (user) nameUser(request, user);
  return user;
}

function nameUser(request: FastifyRequest, user: UserActor): void {
  request.event.add({ actor_kind: 'user', actor_id: user.id, actor_name: user.username });
}
