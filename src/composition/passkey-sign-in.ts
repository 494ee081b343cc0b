import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Held, InvitationSignIn, PasskeyAnswer, PasskeyPlace, PasskeySignIn } from '../console/index.ts';
import { isoTime } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { type Actor, PasskeyRefusal, type Place, type Workspaces } from '../workspaces/index.ts';

/**
 * Sign-in with passkeys.
 * @param address public URL of the server, if it is configured
 */
export function passkeySignIn({ tenancy }: Workspaces, address: string | undefined): PasskeySignIn {
  const { authentication, passkeys } = tenancy;
  const placeFor = (request: FastifyRequest): Place => requirePlace(request, address);

  async function actorOf(request: FastifyRequest, token: string): Promise<Actor> {
    const actor = await authentication.authenticate(token, request.peer.address);
    if (actor === undefined) throw new AppError('unauthenticated', 'The session has ended. Sign in again');
    if (actor.kind === 'user') nameUser(request, actor);
    return actor;
  }

  return {
    placeOf: (request) => passkeyPlace(request, address),
    beginSignIn: async (request) => passkeys.beginSignIn(placeFor(request)),
    async signIn(request, answer: PasskeyAnswer) {
      const place = placeFor(request);
      try {
        const { user, session } = await passkeys.signIn(place, answer, originOf(request));
        nameUser(request, user);
        return heldOf(session);
      } catch (error) {
        if (!(error instanceof PasskeyRefusal)) throw error;
        if (error.user) nameUser(request, error.user);
        throw new AppError('forbidden', SENTENCES[error.reason] ?? REFUSED, { logged: error.message });
      }
    },
    async beginRegistration(request, token) {
      return passkeys.beginRegistration(await actorOf(request, token), placeFor(request));
    },
    async register(request, token, answer) {
      const { id, name } = await passkeys.register(await actorOf(request, token), placeFor(request), answer);
      return { id, name };
    },
  };
}

/** Links of invitations, which lead to an account with a passkey. */
export function invitationSignIn({ tenancy }: Workspaces, address: string | undefined): InvitationSignIn {
  const { invitationLinks: links } = tenancy;
  return {
    async show(secret) {
      const { accounts, expiresAt, invitedBy, organization } = await links.show(secret);
      return { organization, invited_by: invitedBy, expires_at: isoTime(expiresAt), accounts };
    },
    beginAccount: async (request, { secret, username }) =>
      links.beginAccount(secret, username, requirePlace(request, address)),
    async createAccount(request, { secret, ...account }) {
      const place = requirePlace(request, address);
      const { user, session } = await links.createAccount(secret, account, place, originOf(request));
      nameUser(request, user);
      return heldOf(session);
    },
  };
}

const originOf = ({ headers, peer }: FastifyRequest) => ({
  address: peer.address,
  browser: headers['user-agent'] ?? '',
});

function heldOf({ text: token, token: { expiresAt } }: { text: string; token: { expiresAt: number | null } }): Held {
  return { token, made: true, ...(expiresAt !== null && { endsAt: expiresAt }) };
}

const REFUSED = 'The passkey was not accepted. Start again, or sign in another way';
/** Sentences for the owner of a passkey. An unknown passkey and an invalid answer look alike. */
const SENTENCES: Readonly<Record<string, string>> = {
  origin:
    'The passkey was not accepted, because the browser and this server see different addresses of this page. Ask the operator to set workspaces.address, or to let the proxy keep the Host header',
  suspended: 'Your account is suspended. A site administrator can activate it again',
  provider: 'Your identity provider signs you in now. Choose it on the sign-in page',
  cloned:
    'The passkey was refused, because its counter went back: there may be a copy of it. Sign in another way, remove the passkey and register a new one',
};

/**
 * The configured address decides; without it, the address that the browser uses. A configured IP address excludes
 * passkeys: otherwise the `Host` header, which a client chooses, would decide about their origin.
 */
function passkeyPlace({ host }: Pick<FastifyRequest, 'host'>, address: string | undefined): PasskeyPlace {
  const here = URL.parse(`https://${host}`);
  const own = address === undefined ? null : URL.parse(address);
  if (own !== null && !isName(own.hostname)) return { works: false, address: null };
  if (own !== null) return { works: here?.origin === own.origin, address: own.origin };
  if (here !== null && isName(here.hostname)) return { works: true, address: here.origin };
  const isLoopback = here !== null && (here.hostname.startsWith('127.') || here.hostname === '[::1]');
  return { works: false, address: isLoopback ? `https://localhost${here.port === '' ? '' : `:${here.port}`}` : null };
}

/** Browsers refuse passkeys at IP addresses (WebAuthn §5.1.3). */
const isName = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) === 0;

const NEEDS_NAME = 'Ask the operator to set workspaces.address to a host name';

/** @throws 409 at an address without passkeys */
function requirePlace(request: FastifyRequest, configured: string | undefined): Place {
  const { works, address } = passkeyPlace(request, configured);
  if (works && address !== null) return { host: new URL(address).hostname, origin: address };
  const named = configured === undefined ? 'Open this server by its host name' : NEEDS_NAME;
  const remedy = address === null ? named : `Open ${address}/app`;
  throw new AppError('conflict', `Browsers do not accept passkeys at this address. ${remedy}`);
}

const nameUser = ({ event }: FastifyRequest, user: { readonly id: string; readonly username: string }) =>
  event.add({ actor_kind: 'user', actor_id: user.id, actor_name: user.username, actor_via: 'passkey' });
