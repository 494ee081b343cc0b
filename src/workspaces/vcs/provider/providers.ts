import { PROFILE_ORIGIN } from './azure/account.ts';
import { azureServerProvider, azureServicesProvider } from './azure/azure.ts';
import { ENTRA_ORIGIN } from './azure/oauth.ts';
import { bitbucketCloudProvider } from './bitbucket-cloud/bitbucket-cloud.ts';
import { bitbucketServerProvider } from './bitbucket-server/bitbucket-server.ts';
import { giteaProvider } from './gitea/gitea.ts';
import { githubAppProvider, githubProvider } from './github/github.ts';
import { gitlabProvider } from './gitlab/gitlab.ts';
import type { HttpRules } from './http/provider-clients.ts';
import { plainProvider } from './plain/plain.ts';
import type { Credential, Provider } from './port.ts';
import { sound } from './sound.ts';

/** A kind of provider: its adapter, and rules that hold for all its connections. */
export interface ProviderKind {
  readonly provider: Provider;
  readonly http: HttpRules;
  /** Source of configuration versions as clients know it. */
  readonly source: 'github' | 'gitlab' | 'bitbucket' | 'ado' | 'gitea' | 'git';
}

/** GitHub asks for one write at a time and a second between two, and blocks clients that do otherwise. */
const GITHUB: ProviderKind = { provider: sound(githubProvider), http: { writePauseMs: 1000 }, source: 'github' };
const GITHUB_APP: ProviderKind = { ...GITHUB, provider: sound(githubAppProvider) };
const GITEA: ProviderKind = { provider: sound(giteaProvider), http: { writePauseMs: 0 }, source: 'gitea' };
const GITLAB: ProviderKind = { provider: sound(gitlabProvider), http: { writePauseMs: 0 }, source: 'gitlab' };
const BITBUCKET_SERVER: ProviderKind = {
  ...{ provider: sound(bitbucketServerProvider), http: { writePauseMs: 0 }, source: 'bitbucket' },
};
const AZURE_SERVICES: ProviderKind = {
  provider: sound(azureServicesProvider),
  http: { writePauseMs: 0, origins: [PROFILE_ORIGIN, ENTRA_ORIGIN] },
  source: 'ado',
};

/** Kinds by the name of the service provider (`connection/connection.ts`). */
const KINDS: Readonly<Record<string, ProviderKind>> = {
  github: GITHUB,
  github_enterprise: GITHUB,
  gitea: GITEA,
  forgejo: GITEA,
  gitlab_hosted: GITLAB,
  gitlab_community_edition: GITLAB,
  gitlab_enterprise_edition: GITLAB,
  bitbucket_hosted: { provider: sound(bitbucketCloudProvider), http: { writePauseMs: 0 }, source: 'bitbucket' },
  bitbucket_server: BITBUCKET_SERVER,
  bitbucket_data_center: BITBUCKET_SERVER,
  ado_services: AZURE_SERVICES,
  ado_server: { provider: sound(azureServerProvider), http: { writePauseMs: 0 }, source: 'ado' },
  git: { provider: sound(plainProvider), http: { writePauseMs: 0 }, source: 'git' },
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
