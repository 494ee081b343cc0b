import { giteaProvider } from './gitea/gitea.ts';
import { githubAppProvider, githubProvider } from './github/github.ts';
import type { HttpRules } from './http/provider-clients.ts';
import type { Credential, Provider } from './port.ts';

/** A kind of provider: its adapter, and rules that hold for all its connections. */
export interface ProviderKind {
  readonly provider: Provider;
  readonly http: HttpRules;
  /** Source of configuration versions as clients know it. */
  readonly source: 'github' | 'gitlab' | 'bitbucket' | 'ado' | 'gitea' | 'git';
}

/** GitHub asks for one write at a time and a second between two, and blocks clients that do otherwise. */
const GITHUB: ProviderKind = { provider: githubProvider, http: { writePauseMs: 1000 }, source: 'github' };
const GITHUB_APP: ProviderKind = { ...GITHUB, provider: githubAppProvider };
const GITEA: ProviderKind = { provider: giteaProvider, http: { writePauseMs: 0 }, source: 'gitea' };

/** Kinds by the name of the service provider (`connection/connection.ts`). */
const KINDS: Readonly<Record<string, ProviderKind>> = {
  github: GITHUB,
  github_enterprise: GITHUB,
  gitea: GITEA,
  forgejo: GITEA,
};

/** Kinds of connections that are installations of an App. */
const APP_KINDS: Readonly<Record<string, ProviderKind>> = { github: GITHUB_APP, github_enterprise: GITHUB_APP };

/**
 * Finds the kind of a service provider.
 * @param credential kind of the credential of the connection
 */
export function findProviderKind(serviceProvider: string, credential: Credential['kind']): ProviderKind | undefined {
  const kinds = credential === 'app' ? APP_KINDS : KINDS;
  return Object.hasOwn(kinds, serviceProvider) ? kinds[serviceProvider] : undefined;
}
