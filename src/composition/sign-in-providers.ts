import type { FastifyRequest } from 'fastify';
import type { Access } from '../access/index.ts';
import type { Config, OidcConfig } from '../config/index.ts';
import { type ProviderSignIn, SignInFault, type SignInProviders } from '../console/index.ts';
import { RemoteKeys } from '../jwt/index.ts';
import type { Clock } from '../lib/clock.ts';
import { createGuardedFetch, type GuardedFetch } from '../outbound/guarded-fetch.ts';
import { createTenantFetch } from '../outbound/tenant-fetch.ts';
import type { FederationRules, ReadyProvider, Workspaces } from '../workspaces/index.ts';
import type { Domains } from './domains.ts';
import { readAuthorities } from './pem-files.ts';
import { personToken } from './person-token.ts';

type Settings = Pick<OidcConfig, 'name' | 'issuer' | 'clientId' | 'clientSecret' | 'scopes' | 'claims'>;

/** Connection settings of a provider, and the treatment of its users. */
interface Reached extends Settings {
  readonly rules: FederationRules;
  /** Rules that map groups to policies of the access API. Absent for the provider of an organization. */
  readonly policies?: OidcConfig['policies'];
  readonly fetch: GuardedFetch;
  /** PEM. */
  readonly authorities: readonly string[];
  readonly mostAtOnce: number;
}

/** Settings that all providers share. */
interface Shared {
  readonly workspaces: Workspaces;
  readonly clock: Clock;
  readonly access: Access;
  /** Whether providers must return the time of authentication. */
  readonly asksWhen: boolean;
}

/**
 * @limit concurrent requests to the server's identity provider, in one process, requests -> further sign-ins are
 * refused as if the provider were unavailable
 */
const MOST_OF_SERVER = 32;
/** @limit concurrent requests to one organization's identity provider, in one process, requests -> as above */
const MOST_OF_ORGANIZATION = 8;
/**
 * @limit cached metadata of organizations' identity providers in one process, providers -> the least recently used one
 * is fetched again
 */
const MOST_KNOWN = 100;

/** Undefined without providers. @throws ConfigError for an unusable file */
export async function signInProviders(
  { signIn, workspaces: served, notifications }: Pick<Config, 'signIn' | 'workspaces' | 'notifications'>,
  { access, workspaces }: Pick<Domains, 'access' | 'workspaces'>,
  clock: Clock,
): Promise<SignInProviders | undefined> {
  const hasOrganizations = signIn?.organizationProviders ?? true;
  const oidc = signIn?.oidc;
  if (oidc === undefined && !hasOrganizations) return undefined;
  const shared = { workspaces, access, clock, asksWhen: signIn?.reauthenticateAfter !== 0 };
  const fetch = createTenantFetch(notifications?.allowedAddresses ?? []);
  return {
    // Providers redirect only to registered URLs, regardless of the request's host.
    originFor: ({ host }) => served?.address ?? `https://${host}`,
    ...(oidc && { server: await ofServer(oidc, shared) }),
    ...(hasOrganizations && { organizations: organizations(fetch, shared) }),
  };
}

async function ofServer(oidc: OidcConfig, shared: Shared): Promise<ProviderSignIn> {
  const { authoritiesFile, allowedAddresses, ...settings } = oidc;
  const authorities = authoritiesFile ? await readAuthorities('sign_in.oidc.authorities_file', authoritiesFile) : [];
  const fetch = createGuardedFetch({ allowed: allowedAddresses });
  return providerSignIn({ ...settings, authorities, fetch, mostAtOnce: MOST_OF_SERVER }, shared);
}

/** Provider metadata is cached until its settings change. */
function organizations(fetch: GuardedFetch, shared: Shared): NonNullable<SignInProviders['organizations']> {
  const { providers } = shared.workspaces.tenancy;
  const known = new Map<string, { readonly revision: string; readonly signIn: Promise<ProviderSignIn> }>();
  return {
    areThere: () => providers.areThere(),
    async of(which) {
      const provider = await providers.ready(which);
      if (provider === undefined) return undefined;
      const { organizationId: id, revision } = provider;
      const before = known.get(id);
      const signIn =
        before?.revision === revision ? before.signIn : providerSignIn({ ...reached(provider), fetch }, shared, id);
      known.delete(id);
      known.set(id, { revision, signIn });
      const [oldest] = known.keys();
      if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
      return signIn;
    },
  };
}

function reached({ organizationId: id, organizationName: name, settings, clientSecret }: ReadyProvider) {
  const { authorities, create, ssoTeamIds, teams, ...rest } = settings;
  return {
    ...rest,
    ...(clientSecret !== undefined && { clientSecret }),
    rules: {
      ...{ create, ssoTeamIds, linkByEmail: false, siteAdminGroups: [], organization: { id, name } },
      teams: teams.map((rule) => ({ ...rule, organization: name })),
    },
    authorities: authorities === '' ? [] : [authorities],
    mostAtOnce: MOST_OF_ORGANIZATION,
  };
}

async function providerSignIn(reached: Reached, shared: Shared, organization?: string): Promise<ProviderSignIn> {
  // Loaded on demand, because it is large.
  const { LogoutTokens, OidcError, OidcProvider } = await import('../oidc/index.ts');
  const { clock, asksWhen } = shared;
  const { rules, name, policies = [], ...options } = reached;
  const { issuer, clientId, authorities, fetch } = options;
  const provider = new OidcProvider({ ...options, asksWhen });
  const place = { type: 'discovery', url: issuer, authorities: authorities.join('\n') } as const;
  const logoutTokens = new LogoutTokens({ issuer, clientId, clock, keys: new RemoteKeys(fetch, place, clock) });
  const saying = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw error instanceof OidcError ? new SignInFault(error.fault) : error;
    }
  };
  const { federation, sessionTokens } = shared.workspaces.tenancy;
  return {
    name,
    ...(organization && { organization }),
    async begin(callback, again) {
      const { address: to, flow } = await saying(() => provider.begin(callback, again));
      return { address: to, proof: JSON.stringify(flow) };
    },
    async finish(request, came, proof, again) {
      const person = await saying(() => provider.finish(came, JSON.parse(proof)));
      const { peer, headers } = request;
      const holder = again === undefined ? undefined : await sessionTokens.holderOf(again, peer.address);
      // A session that ended meanwhile is not restored.
      if (again !== undefined && holder === undefined) throw new SignInFault('expired');
      const origin = { address: peer.address, browser: headers['user-agent'] ?? '' };
      const { refusal, ...signedIn } = await federation.signIn(person, rules, origin, holder?.id);
      if (refusal !== undefined || !('user' in signedIn)) throw new SignInFault(refusal ?? 'unknown');
      const { user, session } = signedIn;
      nameUser(request, user);
      const { expiresAt } = session.token;
      const held = {
        ...{ token: session.text, made: true },
        ...(expiresAt !== null && { endsAt: expiresAt }),
        ...(organization && { provider: organization }),
      };
      const until = expiresAt ?? clock();
      const token = await personToken(shared.access, { user, groups: person.groups, policies, until, now: clock() });
      return { workspaces: held, ...(token !== undefined && { access: { token, made: true, byGroups: true } }) };
    },
    async signOut({ event }, logoutToken) {
      const there = await saying(() => logoutTokens.verify(logoutToken));
      event.add({ actor_kind: 'provider', actor_name: name, actor_via: 'oidc' });
      const ended = await federation.signOut(there, organization);
      event.add({
        ended_sessions: ended.map(({ id }) => id),
        ended_of: [...new Set(ended.map(({ userId }) => userId))],
      });
    },
  };
}

const nameUser = ({ event }: FastifyRequest, user: { readonly id: string; readonly username: string }) =>
  event.add({ actor_kind: 'user', actor_id: user.id, actor_name: user.username, actor_via: 'oidc' });
