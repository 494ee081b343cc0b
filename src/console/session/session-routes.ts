import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isoTime } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { parseJsonBody } from '../../lib/json.ts';
import { secretText } from '../../lib/secret/secret-text.ts';
import { version } from '../../version.ts';
import { DROP_COOKIE, keepCookie } from './cookie.ts';
import { type InvitationSignIn, invitationRoutes } from './invitation-routes.ts';
import { linkRoutes } from './link-routes.ts';
import { fromOurPages, isFromOwnOrigin } from './own-request.ts';
import { type PasskeySignIn, passkeyRoutes } from './passkey-routes.ts';
import { providerRoutes, type SignInProviders, wayIn } from './provider-routes.ts';
import type { Session } from './session.ts';
import type { SessionOwner, Sessions } from './sessions.ts';
import type { SignInLink } from './sign-in-link.ts';

/** Sign-in with the client certificate of the connection. */
export interface CertificateSignIn {
  /**
   * Returns the URL for the sign-in: a path of the same origin, or of a listener that requests certificates; undefined
   * if there is none.
   */
  addressFor(request: FastifyRequest): string | undefined;
  /** Whether this listener requests certificates. */
  readonly isHere: boolean;
  /**
   * Returns a new token.
   * @throws AppError if the certificate is missing or refused
   */
  logIn(request: FastifyRequest, role: string | undefined): Promise<string>;
  /** Returns the URL to which the browser goes back; undefined if the requested one is not of this server. */
  wayBack(request: FastifyRequest, to: string): string | undefined;
}

/** Sessions, and the ways to start one. */
export interface SignInWays {
  readonly sessions: Sessions;
  readonly certificates: CertificateSignIn;
  /** Single sign-on. Absent if no identity provider is configured. */
  readonly providers?: SignInProviders | undefined;
  /** Absent if the workspace API is not served, or the operator has disabled passkeys. */
  readonly passkeys?: PasskeySignIn | undefined;
  /** Links of invitations. Absent if the workspace API is not served. */
  readonly invitations?: InvitationSignIn | undefined;
  /** Link that signs one browser in. Absent except in a demo. */
  readonly link?: SignInLink | undefined;
}

/** @limit a sign-in request, bytes -> 413 */
const MAX_BODY_BYTES = 16_384;
/** @limit the token in a sign-in request, characters -> 400 */
const MOST_TEXT = 8_192;
const PATH = '/~session';

/** Declares `GET`, `POST` and `DELETE /app/~session`, and the routes of each way to sign in. */
export function sessionRoutes(app: FastifyInstance, ways: SignInWays): void {
  const { sessions, certificates, providers, passkeys, invitations, link } = ways;
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, parseJsonBody);
  const answer = async (request: FastifyRequest, session: Session | undefined) =>
    sessionDocument(sessions, request, session, await sessions.who(request, session), {
      certificate: certificates.addressFor(request) ?? null,
      provider: (providers && (await wayIn(providers, session))) ?? null,
      organizations: (await providers?.organizations?.areThere()) ?? false,
      passkeys: passkeys?.placeOf(request) ?? null,
    });

  const keep = (reply: FastifyReply, session: Session) => {
    const { text, seconds } = sessions.sealed(session);
    reply.header('set-cookie', keepCookie(text, seconds));
  };

  app.get(PATH, async (request) => answer(request, isFromOwnOrigin(request) ? sessions.shown(request) : undefined));

  app.post(PATH, { preHandler: fromOurPages }, async (request, reply) => {
    const { token, certificate, role } = wanted(request.body);
    const session = certificate
      ? await sessions.signIn(request, await certificates.logIn(request, role), true)
      : await sessions.signIn(request, token);
    keep(reply, session);
    return reply.code(201).send(await answer(request, session));
  });

  app.delete(PATH, { preHandler: fromOurPages }, async (request, reply) => {
    await sessions.signOut(request);
    return reply.header('set-cookie', DROP_COOKIE).code(204).send();
  });

  if (link) linkRoutes(app, sessions, link, keep);
  if (providers) providerRoutes(app, sessions, providers);
  const signedIn = (request: FastifyRequest, reply: FastifyReply, session: Session) => {
    keep(reply, session);
    return answer(request, session);
  };
  if (passkeys) passkeyRoutes(app, sessions, passkeys, signedIn);
  if (invitations) invitationRoutes(app, sessions, invitations, signedIn);
  if (!certificates.isHere) return;
  // A page on a listener that requests no certificate redirects to this route, which redirects back to it.
  app.get(`${PATH}/certificate`, async (request, reply) => {
    const { to, role } = request.query as Readonly<Record<string, unknown>>;
    const back = typeof to === 'string' ? certificates.wayBack(request, to) : undefined;
    if (back === undefined || !['same-origin', 'same-site'].includes(`${request.headers['sec-fetch-site']}`)) {
      throw new AppError('forbidden', 'Start on the sign-in page of the console');
    }
    try {
      const text = await certificates.logIn(request, typeof role === 'string' && role !== '' ? role : undefined);
      keep(reply, await sessions.signIn(request, text, true));
      return reply.redirect(back, 303);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A browser that came from a page gets an error page. The reason is only in the server log and the audit log.
      request.event.add({ error_kind: error.kind, error: error.logged });
      return reply.redirect(refusedAddress(back), 303);
    }
  });
}

function wanted(body: unknown): { token: string; certificate: boolean; role: string | undefined } {
  const { token = '', certificate = false, role } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const texts = typeof token === 'string' && token.length <= MOST_TEXT && ['string', 'undefined'].includes(typeof role);
  if (!texts || typeof certificate !== 'boolean' || certificate === (token !== '')) {
    throw new AppError('bad-request', 'Sign in with {"token": "…"} or with {"certificate": true}');
  }
  return { token: secretText(token), certificate, role: role === '' ? undefined : (role as string | undefined) };
}

function sessionDocument(
  { sides }: Sessions,
  { hostname }: FastifyRequest,
  session: Session | undefined,
  { access, workspaces }: { access?: SessionOwner; workspaces?: SessionOwner },
  ways: object,
) {
  const isOpen = access !== undefined || workspaces !== undefined;
  return {
    ends_at: session !== undefined && isOpen ? isoTime(session.endsAt) : null,
    access: shown(access),
    workspaces: shown(workspaces),
    /** Sign-in methods of the APIs. */
    offers: {
      access: sides.access !== undefined,
      workspaces: sides.workspaces !== undefined,
      ...ways,
    },
    host: hostname,
    version,
  };
}

function shown(who: SessionOwner | undefined) {
  if (who === undefined) return null;
  const { kind, name, expiresAt, organizations, policies, siteAdmin } = who;
  return {
    ...{ kind, name, expires_at: expiresAt === null ? null : isoTime(expiresAt) },
    ...(policies && { policies, is_root: policies.includes('root') }),
    ...(organizations && { organizations, is_site_admin: siteAdmin ?? false }),
  };
}

/** Returns the URL of the sign-in page, with the page to which the user wanted to go. */
function refusedAddress(back: string): string {
  const { origin, pathname, search } = new URL(back);
  const to = `${pathname}${search}`.replace(/^\/app/, '') || '/';
  return `${origin}/app/~sign-in?${new URLSearchParams({ to, refused: 'certificate' })}`;
}
