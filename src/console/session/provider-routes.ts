import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import { dropFlow, flowCookie, keepCookie, keepFlow } from './cookie.ts';
import { isFromOwnOrigin } from './own-request.ts';
import { madeOf, type Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { FLOW_MS, openFlow, placeOf, type SignInFlow, sealFlow } from './sign-in-flow.ts';

/** Single sign-on at an identity provider, which authenticates the user. */
export interface ProviderSignIn {
  /** Display name. */
  readonly name: string;
  /** The organization that owns the provider; absent for the server's own. */
  readonly organization?: string;
  /**
   * Starts a sign-in: the URL for the browser, and the proof that has to come back.
   * @param again whether the provider must authenticate the user again
   * @throws SignInFault
   */
  begin(callback: string, again: boolean): Promise<{ readonly address: string; readonly proof: string }>;
  /**
   * @param came the URL to which the browser came back
   * @param again the token of a user who authenticates again: no other user is signed in
   * @throws SignInFault
   */
  finish(request: FastifyRequest, came: URL, proof: string, again: string | undefined): Promise<Session['held']>;
  /**
   * Ends the sessions of a user whom the provider has signed out.
   * @throws SignInFault
   */
  signOut(request: FastifyRequest, logoutToken: string): Promise<void>;
}

/** The configured identity providers. */
export interface SignInProviders {
  /** Identity provider of the server. Absent if the server has none. */
  readonly server?: ProviderSignIn | undefined;
  /** Identity providers of organizations. Absent if organizations cannot have their own. */
  readonly organizations?: {
    /** @param which ID or name of the provider */
    of(which: string): Promise<ProviderSignIn | undefined>;
    areThere(): Promise<boolean>;
  };
  /** Returns the origin of this server as browsers see it: `https://lock.example`. */
  originFor(request: FastifyRequest): string;
}

/** Reason why a sign-in failed: one of a fixed set of words, without any text of the provider. */
export class SignInFault extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`sign-in failed: ${reason}`);
    this.reason = reason;
  }
}

const START = '/~session/oidc';
const START_OF = `${START}/organizations/:organization`;

/**
 * Returns the path at which a sign-in starts.
 * @param organization owner of the provider; absent for the server's own
 */
const beginningAt = (organization: string | undefined): string =>
  `/app${START}${organization === undefined ? '' : `/organizations/${organization}`}`;

/**
 * Returns where a user signs in or authenticates again: the provider of the session, or the one that would be used
 * without a session.
 */
export async function wayIn(
  { server, organizations }: SignInProviders,
  session: Session | undefined,
): Promise<{ readonly name: string; readonly address: string } | undefined> {
  const organization = session?.held.workspaces?.provider;
  const provider = organization === undefined ? server : await organizations?.of(organization);
  return provider && { name: provider.name, address: beginningAt(provider.organization) };
}

/** Declares the routes to a provider and back from it. */
export function providerRoutes(app: FastifyInstance, sessions: Sessions, providers: SignInProviders): void {
  const { keyring, clock } = sessions;
  const of = async ({ params }: FastifyRequest) => {
    const { organization } = params as Readonly<Record<string, string | undefined>>;
    return organization === undefined ? providers.server : providers.organizations?.of(organization);
  };
  // Each provider has a callback URL of its own, so that none can impersonate another (mix-up attack).
  const callbackFor = (request: FastifyRequest, { organization }: ProviderSignIn) =>
    `${providers.originFor(request)}${beginningAt(organization)}/callback`;

  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    const { to: wanted, again } = request.query as Readonly<Record<string, unknown>>;
    const to = placeOf(wanted);
    // Otherwise another site could start sign-ins for the user again and again.
    if (!isFromOwnOrigin(request)) return reply.redirect(signInPage(to), 303);
    try {
      const provider = await of(request);
      if (provider === undefined) throw new SignInFault('none');
      const { address, proof } = await provider.begin(callbackFor(request, provider), again === '1');
      const { organization } = provider;
      const flow = { proof, to, endsAt: clock() + FLOW_MS, ...(organization && { provider: organization }) };
      const { text, left } = sealWith(flow, sessions.shown(request), again === '1');
      if (text === undefined) throw new SignInFault('invalid');
      await sessions.endEarlier(request, left);
      return reply.header('set-cookie', keepFlow(text, FLOW_MS / 1000)).redirect(address, 303);
    } catch (error) {
      return refuse(request, reply, to, error);
    }
  };

  /**
   * Encrypts the flow with the earlier session. If the cookie would be too long, it leaves out the token of the access
   * API: the user is then signed out there, and the sign-in continues.
   */
  const sealWith = (flow: SignInFlow, earlier: Session | undefined, again: boolean) => {
    if (earlier === undefined) return { text: sealFlow(keyring, flow), left: {} };
    const held = again ? earlier.held : madeOf(earlier);
    const seal = (kept: Session['held']) =>
      sealFlow(keyring, { ...flow, ...(again ? { before: { ...earlier, held: kept } } : { replaces: kept }) });
    const { access, ...rest } = held;
    const text = seal(held);
    return text === undefined ? { text: seal(rest), left: access ? { access } : {} } : { text, left: {} };
  };

  // No part of the provider's response may appear in a log.
  const unsaid = async (request: FastifyRequest) => {
    request.query = {};
  };
  const comeBack = async (request: FastifyRequest, reply: FastifyReply) => {
    const text = flowCookie(request.headers.cookie);
    const flow = text === undefined ? undefined : openFlow(keyring, text, clock());
    // The flow can be used once, whatever its result.
    reply.header('set-cookie', dropFlow());
    if (flow === undefined) return refuse(request, reply, '/', new SignInFault('expired'));
    try {
      const provider = await of(request);
      if (provider === undefined || provider.organization !== flow.provider) throw new SignInFault('expired');
      const came = new URL(callbackFor(request, provider));
      came.search = new URL(request.url, came).search;
      const { proof, before, replaces = {} } = flow;
      const held = await provider.finish(request, came, proof, before?.held.workspaces?.token);
      const session = await sessions.signInAs(request, held, before);
      await sessions.endEarlier(request, replaces, session);
      const { text: sealed, seconds } = sessions.sealed(session);
      reply.header('set-cookie', keepCookie(sealed, seconds));
      return reply.type('text/html; charset=utf-8').send(onwardPage(`/app${flow.to}`));
    } catch (error) {
      return refuse(request, reply, flow.to, error);
    }
  };

  for (const start of [START, START_OF]) {
    app.get(start, begin);
    app.get(`${start}/callback`, { onRequest: unsaid }, comeBack);
  }
}

/** Shows an error page to a browser that came from a page. */
function refuse(request: FastifyRequest, reply: FastifyReply, to: string, error: unknown) {
  if (!(error instanceof SignInFault)) throw error;
  const { kind, logged } = new AppError('forbidden', error.message);
  request.event.add({ error_kind: kind, error: logged });
  return reply.redirect(signInPage(to, error.reason), 303);
}

const signInPage = (to: string, refused?: string) =>
  `/app/~sign-in?${new URLSearchParams({ ...(to === '/' ? {} : { to }), ...(refused && { refused }) })}`;

/**
 * Returns a page that redirects with a refresh. Browsers do not send a strict cookie with a redirect that another site
 * started; the refresh is a request of this page.
 */
function onwardPage(to: string): string {
  const address = to.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signed in · Lockkeeper</title>
<meta http-equiv="refresh" content="0; url=${address}"></head><body><p>You are signed in. <a href="${address}">Continue</a></p></body></html>`;
}
