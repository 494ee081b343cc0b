import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import { OAuthClients } from './connection/clients.ts';
import { OAuthTokens } from './connection/tokens.ts';
import { VcsHooks } from './hooks/hooks.ts';

/** Services of connections to version control. */
export interface Vcs {
  readonly hooks: VcsHooks;
  readonly oauthClients: OAuthClients;
  readonly oauthTokens: OAuthTokens;
}

export function createVcs(
  { database, keyring, clock }: Platform,
  { organizations, projects, hooks }: Tenancy,
  workspace: WorkspaceServices,
): Vcs {
  const oauthClients = new OAuthClients({ database, keyring, clock, organizations, projects, hooks });
  const oauthTokens = new OAuthTokens(database, keyring, { organizations, clients: oauthClients });
  workspace.hooks.extend({ references: { connections: oauthTokens } });
  return { hooks: new VcsHooks(), oauthClients, oauthTokens };
}
