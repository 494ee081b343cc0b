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
const WRONG_TOKEN = 'This token is unknown, expired or not a user token. Enter another one.';

const errors: ErrorShape = {
  contentType: 'text/html; charset=utf-8',
  statuses: {},
  body: (_status, error) => refusedPage(error?.message ?? 'Internal server error'),
};

interface PageParts {
  readonly logins: Logins;
  readonly invitations: Invitations;
  readonly visitors: Visitors;
}

/**
 * Serves the pages on which users log in to `tofu` or `terraform` and respond to invitations. They work
 * without scripts. All other paths under `/app` belong to the console.
 * @param session absent if there are no console sessions: users then enter a token each time
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
        // A browser applies HSTS to every port of a host, including the port on which `tofu` or `terraform` listens
        // on localhost without TLS.
        if (hostname === 'localhost') reply.removeHeader('strict-transport-security');
      });
      routes(app, parts);
    },
  };
}

/** Serves the OAuth 2.0 authorization endpoint (RFC 6749 §3.1). */
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

/** Serves the page on which users create a token if their version of `tofu` or `terraform` cannot log in with OAuth. */
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

/** Serves invitations. A user who has just shown a token gets a ticket, with which they accept or decline. */
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
      throw new AppError('bad-request', 'The answer must be accept or decline');
    }
    await invitations.answer(user, fieldOf(request, 'invitation'), answer === 'accept');
    const done = answer === 'accept' ? 'You are a member now.' : 'Invitation declined.';
    return invitationsPage(done, await invitations.waiting(user), invitations.ticket(user));
  });
}
