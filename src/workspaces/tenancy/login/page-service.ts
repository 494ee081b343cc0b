import type { FastifyInstance } from 'fastify';
import { AppError, type ErrorShape } from '../../../lib/errors.ts';
import type { Service } from '../../../lib/service.ts';
import { LOGIN_RATE } from '../authentication/rate.ts';
import type { Sessions } from '../session/sessions.ts';
import { answerTo, LOGIN_CLIENT, type Parameters, readAuthorizationRequest } from './authorization-request.ts';
import { acceptForms, fieldOf, formOf, sameOriginHook, wantedToken } from './form.ts';
import { ANSWERS_PATH, askPage, INVITATIONS_PAGE, invitationForms, invitationsPage } from './invitation-pages.ts';
import type { Invitations } from './invitations.ts';
import { pageHeaders } from './layout.ts';
import type { Logins } from './logins.ts';
import { authorizePage, issuedPage, refusedPage, TOKEN_PAGE, tokenPage } from './pages.ts';
import { nameUser, type PageSession, Visitors } from './visitors.ts';

const OAUTH_PAGES = '/app/oauth2';
const WRONG_TOKEN = 'That token is unknown or expired, or it is not the token of a user. Try another one.';

const errors: ErrorShape = {
  contentType: 'text/html; charset=utf-8',
  statuses: {},
  body: (_status, error) => refusedPage(error?.message ?? 'Something went wrong on our side'),
};

interface PageParts {
  readonly logins: Logins;
  readonly invitations: Invitations;
  readonly visitors: Visitors;
}

/**
 * The pages where people log a command line in (facts §4.6), and answer invitations. They work without scripts. What else is below
 * `/app` is the console.
 * @param session absent: people show a token each time
 */
export function pageServices(
  { logins, invitations, sessions }: Omit<PageParts, 'visitors'> & { readonly sessions: Sessions },
  session?: PageSession,
): readonly Service[] {
  const parts = { logins, invitations, visitors: new Visitors(logins, sessions, session) };
  return [
    pageService(OAUTH_PAGES, parts, authorizeRoutes),
    pageService(TOKEN_PAGE, parts, tokenRoutes),
    pageService(INVITATIONS_PAGE, parts, invitationRoutes),
  ];
}

function pageService(
  prefix: string,
  parts: PageParts,
  routes: (app: FastifyInstance, parts: PageParts) => void,
): Service {
  return {
    name: 'pages',
    prefix,
    errors,
    rate: LOGIN_RATE,
    notFound: () => new AppError('not-found', 'There is no such page'),
    routes(app) {
      acceptForms(app);
      app.addHook('onRequest', async ({ hostname }, reply) => {
        reply.headers(pageHeaders());
        // Strict transport security holds for every port of a host: the command line, which listens there without TLS, too.
        if (hostname === 'localhost') reply.removeHeader('strict-transport-security');
      });
      routes(app, parts);
    },
  };
}

/** The authorization endpoint of OAuth 2.0 (RFC 6749 §3.1). */
function authorizeRoutes(app: FastifyInstance, { logins, visitors }: PageParts): void {
  const path = LOGIN_CLIENT.authorizePath.slice(OAUTH_PAGES.length);

  app.get(path, async (request, reply) => {
    const asked = readAuthorizationRequest(request.query as Parameters);
    const { user, waysIn } = await visitors.shown(request);
    const page = authorizePage(asked, '', user, waysIn);
    return reply.headers(pageHeaders(new URL(asked.redirectUri).origin)).send(page);
  });

  app.post(path, { preHandler: sameOriginHook }, async (request, reply) => {
    const asked = readAuthorizationRequest(formOf(request));
    const wanted = wantedToken(request);
    const user = await visitors.signInRecently(request);
    if (!user) {
      const headers = pageHeaders(new URL(asked.redirectUri).origin);
      return reply.code(403).headers(headers).send(authorizePage(asked, WRONG_TOKEN));
    }
    return reply.redirect(answerTo(asked, await logins.authorize(user, asked, wanted)), 303);
  });
}

/** Where the command lines send people for a token when they cannot log in by OAuth. */
function tokenRoutes(app: FastifyInstance, { logins, invitations, visitors }: PageParts): void {
  app.get('', async (request) => {
    const fromCommandLine = (request.query as Parameters).source === 'terraform-login';
    const { user, waysIn } = await visitors.shown(request);
    return tokenPage(fromCommandLine, '', user, waysIn);
  });

  app.post('', { preHandler: sameOriginHook }, async (request, reply) => {
    const wanted = wantedToken(request);
    const user = await visitors.signInRecently(request);
    if (!user) return reply.code(403).send(tokenPage(false, WRONG_TOKEN));
    const waiting = invitationForms(await invitations.waiting(user), invitations.ticket(user));
    return issuedPage(user.username, await logins.issue(user, wanted), waiting);
  });
}

/** Whoever has just shown a token answers with a ticket that was made for it. */
function invitationRoutes(app: FastifyInstance, { invitations, visitors }: PageParts): void {
  app.get('', async () => askPage(''));

  app.post('', { preHandler: sameOriginHook }, async (request, reply) => {
    const user = await visitors.signIn(request);
    if (!user) return reply.code(403).send(askPage(WRONG_TOKEN));
    return invitationsPage('', await invitations.waiting(user), invitations.ticket(user));
  });

  app.post(ANSWERS_PATH.slice(INVITATIONS_PAGE.length), { preHandler: sameOriginHook }, async (request) => {
    const user = await invitations.holder(fieldOf(request, 'ticket'), request.peer.address);
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
