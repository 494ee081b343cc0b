import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import { dropFlow, flowCookie, keepCookie, keepFlow } from './cookie.ts';
import { isFromOwnOrigin } from './own-request.ts';
import type { Held, Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { FLOW_MS, openFlow, placeOf, sealFlow } from './sign-in-flow.ts';

/** Where people sign in who are sent to a provider: who they are is for it to say. */
export interface ProviderSignIn {
  /** As people know it. */
  readonly name: string;
  /** The organization whose it is; absent: it is the server's. */
  readonly organization?: string;
  /** Where a browser is sent, and what has to come back. @param again somebody is to prove once more who they are. @throws SignInFault */
  begin(callback: string, again: boolean): Promise<{ readonly address: string; readonly proof: string }>;
  /**
   * @param came the address that the browser came back to
   * @param again the token of whoever is to prove once more who they are: nobody else is signed in
   * @throws SignInFault
   */
  finish(request: FastifyRequest, came: URL, proof: string, again: string | undefined): Promise<Held>;
  /** Ends what somebody has here whom the provider has signed out. @throws SignInFault */
  signOut(request: FastifyRequest, logoutToken: string): Promise<void>;
}

/** Those that there are. */
export interface SignInProviders {
  /** Absent: the server has none. */
  readonly server?: ProviderSignIn | undefined;
  /** Absent: organizations have none here. */
  readonly organizations?: {
    /** @param which its id, or its name */
    of(which: string): Promise<ProviderSignIn | undefined>;
    areThere(): Promise<boolean>;
  };
  /** The address of this server as browsers know it: `https://lock.example`. */
  originFor(request: FastifyRequest): string;
}

/** Why nobody was signed in; a word of ours, and nothing of what somebody else has said. */
export class SignInFault extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`nobody was signed in: ${reason}`);
    this.reason = reason;
  }
}

const START = '/~session/oidc';
const START_OF = `${START}/organizations/:organization`;

/** Where somebody begins who is sent to it. @param organization whose it is; absent: the server's */
const beginningAt = (organization: string | undefined): string =>
  `/app${START}${organization === undefined ? '' : `/organizations/${organization}`}`;

/** Who vouches for whoever has a session, or else could: where they sign in, or prove once more who they are. */
export async function wayIn(
  { server, organizations }: SignInProviders,
  session: Session | undefined,
): Promise<{ readonly name: string; readonly address: string } | undefined> {
  const organization = session?.held.workspaces?.provider;
  const provider = organization === undefined ? server : await organizations?.of(organization);
  return provider && { name: provider.name, address: beginningAt(provider.organization) };
}

/** To a provider, and back from it. */
export function providerRoutes(app: FastifyInstance, sessions: Sessions, providers: SignInProviders): void {
  const { keyring, clock } = sessions;
  const of = async ({ params }: FastifyRequest) => {
    const { organization } = params as Readonly<Record<string, string | undefined>>;
    return organization === undefined ? providers.server : providers.organizations?.of(organization);
  };
  // Each comes back to an address of its own: none can pass for another.
  const callbackFor = (request: FastifyRequest, { organization }: ProviderSignIn) =>
    `${providers.originFor(request)}${beginningAt(organization)}/callback`;

  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    const { to: wanted, again } = request.query as Readonly<Record<string, unknown>>;
    const to = placeOf(wanted);
    // Another site could otherwise begin it for somebody, over and over.
    if (!isFromOwnOrigin(request)) return reply.redirect(signInPage(to), 303);
    try {
      const provider = await of(request);
      if (provider === undefined) throw new SignInFault('none');
      const before = again === '1' ? sessions.shown(request) : undefined;
      const { address, proof } = await provider.begin(callbackFor(request, provider), again === '1');
      const { organization } = provider;
      const flow = { proof, to, endsAt: clock() + FLOW_MS, ...(organization && { provider: organization }) };
      const text =
        (before && sealFlow(keyring, { ...flow, before })) ?? sealFlow(keyring, { ...flow, ...half(before) });
      if (text === undefined) throw new SignInFault('invalid');
      return reply.header('set-cookie', keepFlow(text, FLOW_MS / 1000)).redirect(address, 303);
    } catch (error) {
      return refuse(request, reply, to, error);
    }
  };

  // What a provider says belongs into no record, not even in part.
  const unsaid = async (request: FastifyRequest) => {
    request.query = {};
  };
  const comeBack = async (request: FastifyRequest, reply: FastifyReply) => {
    const text = flowCookie(request.headers.cookie);
    const flow = text === undefined ? undefined : openFlow(keyring, text, clock());
    // It counts once, whatever becomes of it.
    reply.header('set-cookie', dropFlow());
    if (flow === undefined) return refuse(request, reply, '/', new SignInFault('expired'));
    try {
      const provider = await of(request);
      if (provider === undefined || provider.organization !== flow.provider) throw new SignInFault('expired');
      const came = new URL(callbackFor(request, provider));
      came.search = new URL(request.url, came).search;
      const { proof, before } = flow;
      const held = await provider.finish(request, came, proof, before?.held.workspaces?.token);
      const session = await sessions.signInAs(request, 'workspaces', held, before);
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

/** Where all of it is too long: of the other half people are signed out, and who they are is asked all the same. */
function half(before: Session | undefined): { readonly before?: Session } {
  const workspaces = before?.held.workspaces;
  return before && workspaces ? { before: { ...before, held: { workspaces } } } : {};
}

/** Whoever came from a page is told on a page. */
function refuse(request: FastifyRequest, reply: FastifyReply, to: string, error: unknown) {
  if (!(error instanceof SignInFault)) throw error;
  const { kind, logged } = new AppError('forbidden', error.message);
  request.event.add({ error_kind: kind, error: logged });
  return reply.redirect(signInPage(to, error.reason), 303);
}

const signInPage = (to: string, refused?: string) =>
  `/app/~sign-in?${new URLSearchParams({ ...(to === '/' ? {} : { to }), ...(refused && { refused }) })}`;

/**
 * Leads on. Browsers keep a strict cookie back while they follow a redirect that another site has begun; what this page
 * leads to is asked for by ourselves.
 */
function onwardPage(to: string): string {
  const address = to.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signed in · Lockkeeper</title>
<meta http-equiv="refresh" content="0; url=${address}"></head><body><p>You are signed in. <a href="${address}">Go on</a></p></body></html>`;
}
