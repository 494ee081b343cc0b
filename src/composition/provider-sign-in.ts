import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/index.ts';
import { type ProviderSignIn, SignInFault } from '../console/index.ts';
import { RemoteKeys } from '../jwt/index.ts';
import type { Clock } from '../lib/clock.ts';
import { createGuardedFetch } from '../outbound/guarded-fetch.ts';
import type { Workspaces } from '../workspaces/index.ts';
import { readAuthorities } from './pem-files.ts';

/** Undefined where people are sent to no provider. @throws ConfigError for a file that cannot be used */
export async function providerSignIn(
  { signIn, workspaces: served }: Pick<Config, 'signIn' | 'workspaces'>,
  workspaces: Workspaces,
  clock: Clock,
): Promise<ProviderSignIn | undefined> {
  const oidc = signIn?.oidc;
  if (oidc === undefined) return undefined;
  // Loaded where it is wanted: it is large.
  const { LogoutTokens, OidcError, OidcProvider } = await import('../oidc/index.ts');
  const { authoritiesFile, allowedAddresses, rules, name, ...options } = oidc;
  const { issuer, clientId } = options;
  const authorities = authoritiesFile ? await readAuthorities('sign_in.oidc.authorities_file', authoritiesFile) : [];
  const fetch = createGuardedFetch({ allowed: allowedAddresses });
  const asksWhen = signIn !== undefined && signIn.reauthenticateAfter > 0;
  const provider = new OidcProvider({ ...options, asksWhen, authorities, fetch });
  const place = { type: 'discovery', url: issuer, authorities: authorities.join('\n') } as const;
  const logoutTokens = new LogoutTokens({ issuer, clientId, clock, keys: new RemoteKeys(fetch, place, clock) });
  const saying = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw error instanceof OidcError ? new SignInFault(error.fault) : error;
    }
  };
  const { federation, sessionTokens } = workspaces.tenancy;
  return {
    name,
    // The provider sends nobody to an address that was not told to it, whatever host a request names.
    originFor: ({ host }) => served?.address ?? `https://${host}`,
    async begin(callback, again) {
      const { address: to, flow } = await saying(() => provider.begin(callback, again));
      return { address: to, proof: JSON.stringify(flow) };
    },
    async finish(request, came, proof, again) {
      const person = await saying(() => provider.finish(came, JSON.parse(proof)));
      const { peer, headers } = request;
      const holder = again === undefined ? undefined : await sessionTokens.holderOf(again, peer.address);
      // Signed out meanwhile, or ended: then nothing of it comes back.
      if (again !== undefined && holder === undefined) throw new SignInFault('expired');
      const origin = { address: peer.address, browser: headers['user-agent'] ?? '' };
      const { refusal, ...signedIn } = await federation.signIn(person, rules, origin, holder?.id);
      if (refusal !== undefined || !('user' in signedIn)) throw new SignInFault(refusal ?? 'unknown');
      const { user, session } = signedIn;
      nameUser(request, user);
      const { expiresAt } = session.token;
      return { token: session.text, made: true, ...(expiresAt !== null && { endsAt: expiresAt }) };
    },
    async signOut({ event }, logoutToken) {
      const there = await saying(() => logoutTokens.verify(logoutToken));
      event.add({ actor_kind: 'provider', actor_name: name, actor_via: 'oidc' });
      const ended = await federation.signOut(there);
      event.add({
        ended_sessions: ended.map(({ id }) => id),
        ended_of: [...new Set(ended.map(({ userId }) => userId))],
      });
    },
  };
}

const nameUser = ({ event }: FastifyRequest, user: { readonly id: string; readonly username: string }) =>
  event.add({ actor_kind: 'user', actor_id: user.id, actor_name: user.username, actor_via: 'oidc' });
