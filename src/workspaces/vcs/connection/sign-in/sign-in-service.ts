import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, type ErrorShape } from '../../../../lib/errors.ts';
import type { Service } from '../../../../lib/service.ts';
import {
  acceptForms,
  fieldOf,
  LOGIN_RATE,
  type Logins,
  nameUser,
  type PageSession,
  pageHeaders,
  sameOriginHook,
  type UserActor,
} from '../../../tenancy/index.ts';
import type { OrganizationApps } from '../app/apps.ts';
import type { CameBack } from './came-back.ts';
import type { OAuthConnect } from './connect.ts';
import * as pages from './pages.ts';

const errors: ErrorShape = {
  contentType: 'text/html; charset=utf-8',
  statuses: {},
  body: (_status, error) => pages.failedPage((error?.message ?? 'Internal server error').replace(/\.$/, '')),
};

export interface SignInParts {
  readonly oauthConnect: OAuthConnect;
  readonly organizationApps: OrganizationApps;
  readonly logins: Logins;
  /** URL of this server, if it is configured. */
  readonly address: string | undefined;
}

/** Marks the request of a page after a provider has sent the browser back. */
const HERE = 'here';

/**
 * Serves the pages on which users sign in at VCS providers and create GitHub Apps. They work without scripts, and only
 * in a session of a user.
 * @param session absent if there are no console sessions: then nobody can sign in at a provider
 */
export function vcsSignInService(parts: SignInParts, session?: PageSession): Service {
  return {
    name: 'vcs-sign-in',
    prefix: '/auth',
    errors,
    rate: LOGIN_RATE,
    notFound: () => new AppError('not-found', 'There is no such page'),
    routes(app) {
      acceptForms(app);
      app.addHook('onRequest', async (_request, reply) => {
        reply.headers(pageHeaders());
      });
      const visitors = new Visitors(parts, session);
      appRoutes(app, parts, visitors);
      connectRoutes(app, parts, visitors);
    },
  };
}

function connectRoutes(app: FastifyInstance, { oauthConnect }: SignInParts, visitors: Visitors): void {
  app.get('/:uuid', async (request) => {
    const user = await visitors.shown(request);
    if (user === undefined) return pages.signInFirstPage();
    const client = await oauthConnect.find(user, uuidIn(request), organizationIn(request.query));
    return pages.connectPage(client, user.username);
  });

  app.post('/:uuid', { preHandler: sameOriginHook }, async (request) => {
    const user = await visitors.acting(request);
    if (user === undefined) return pages.signInFirstPage();
    const client = await oauthConnect.find(user, uuidIn(request), fieldOf(request, 'organization_id'));
    return pages.onwardPage(await oauthConnect.begin(user, client, visitors.originFor(request)));
  });

  visitors.comeBack(app, '/:uuid/callback', async (user, came, request) => {
    return pages.connectedPage(await oauthConnect.finish(user, uuidIn(request), came, visitors.originFor(request)));
  });
}

function appRoutes(app: FastifyInstance, { organizationApps }: SignInParts, visitors: Visitors): void {
  const place = (request: FastifyRequest) => ({
    origin: visitors.originFor(request),
    organization: fieldOf(request, 'organization_id'),
  });

  app.get('/github-app', async (request) => {
    const user = await visitors.shown(request);
    if (user === undefined) return pages.signInFirstPage();
    const organization = organizationIn(request.query);
    return pages.appPage(organization, await organizationApps.find(user, organization));
  });

  app.post('/github-app', { preHandler: sameOriginHook }, async (request, reply) => {
    const user = await visitors.acting(request);
    if (user === undefined) return pages.signInFirstPage();
    const wanted = { account: fieldOf(request, 'account'), httpUrl: fieldOf(request, 'http_url') };
    const form = await organizationApps.beginCreation(user, place(request), wanted);
    return reply.headers(pageHeaders(new URL(form.action).origin)).send(pages.manifestPage(form));
  });

  app.post('/github-app/sign-in', { preHandler: sameOriginHook }, async (request) => {
    const user = await visitors.acting(request);
    if (user === undefined) return pages.signInFirstPage();
    return pages.onwardPage(await organizationApps.beginLink(user, place(request)));
  });

  visitors.comeBack(app, '/github-app/created', async (user, came) => {
    const made = await organizationApps.finishCreation(user, came);
    return pages.appPage(made.organizationName, made);
  });

  visitors.comeBack(app, '/github-app/callback', async (user, came, request) => {
    const { app: linkedApp, linked } = await organizationApps.finishLink(user, came, visitors.originFor(request));
    return pages.linkedPage(linkedApp, linked);
  });
}

/** Users of console sessions who open the pages. */
class Visitors {
  readonly #parts: SignInParts;
  readonly #session: PageSession | undefined;

  constructor(parts: SignInParts, session: PageSession | undefined) {
    this.#parts = parts;
    this.#session = session;
  }

  /** Returns the user of the session, only to show a page. */
  shown(request: FastifyRequest): Promise<UserActor | undefined> {
    return this.#user(request, this.#session?.shownTokenOf(request));
  }

  /** Returns the user of the session for a request that a page of this server has made. */
  acting(request: FastifyRequest): Promise<UserActor | undefined> {
    return this.#user(request, this.#session?.tokenOf(request));
  }

  /** Returns the origin of this server as browsers see it. */
  originFor({ host }: FastifyRequest): string {
    return this.#parts.address ?? `https://${host}`;
  }

  /**
   * Declares the route to which a provider sends the browser back. The first request comes from another site, so it has
   * no session cookie: its page loads itself again.
   */
  comeBack(
    app: FastifyInstance,
    path: string,
    finish: (user: UserActor, came: CameBack, request: FastifyRequest) => Promise<string>,
  ): void {
    // No part of the provider's response may appear in a log.
    const unsaid = async (request: FastifyRequest) => {
      request.query = {};
    };
    app.get(path, { onRequest: unsaid }, async (request) => {
      const url = new URL(request.url, 'https://server.invalid');
      const parameters = url.searchParams;
      if (!parameters.has(HERE)) {
        parameters.set(HERE, '1');
        return pages.onwardPage(`${url.pathname}?${parameters}`);
      }
      const user = await this.acting(request);
      if (user === undefined) return pages.signInFirstPage();
      const text = (name: string) => parameters.get(name) ?? '';
      return finish(user, { code: text('code'), state: text('state'), error: text('error') }, request);
    });
  }

  async #user(request: FastifyRequest, token: string | undefined): Promise<UserActor | undefined> {
    const user = token ? await this.#parts.logins.userOf(token, request.peer.address) : undefined;
    if (user) nameUser(request, user);
    return user;
  }
}

const uuidIn = ({ params }: FastifyRequest): string => (params as { readonly uuid: string }).uuid;

function organizationIn(query: unknown): string {
  const { organization_id: name } = query as Readonly<Record<string, unknown>>;
  return typeof name === 'string' ? name : '';
}
