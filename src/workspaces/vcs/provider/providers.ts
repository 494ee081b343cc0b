import { giteaProvider } from './gitea/gitea.ts';
import { githubProvider } from './github/github.ts';
import type { HttpRules } from './http/provider-clients.ts';
import type { Provider } from './port.ts';

/** A kind of provider: its adapter, and rules that hold for all its connections. */
export interface ProviderKind {
  readonly provider: Provider;
  readonly http: HttpRules;
  /** Source of configuration versions as clients know it. */
  readonly source: 'github' | 'gitlab' | 'bitbucket' | 'ado' | 'gitea' | 'git';
}

/** GitHub asks for one write at a time and a second between two, and blocks clients that do otherwise. */
const GITHUB: ProviderKind = { provider: githubProvider, http: { writePauseMs: 1000 }, source: 'github' };
const GITEA: ProviderKind = { provider: giteaProvider, http: { writePauseMs: 0 }, source: 'gitea' };

/** Kinds by the name of the service provider (`connection/connection.ts`). */
const KINDS: Readonly<Record<string, ProviderKind>> = {
  github: GITHUB,
  github_enterprise: GITHUB,
  gitea: GITEA,
  forgejo: GITEA,
};

/** Finds the kind of a service provider. */
export function findProviderKind(serviceProvider: string): ProviderKind | undefined {
  return Object.hasOwn(KINDS, serviceProvider) ? KINDS[serviceProvider] : undefined;
}
