import type { Resolve } from '../../outbound/address-guard.ts';
import { createTenantFetch } from '../../outbound/tenant-fetch.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import { Connections } from './connection/access.ts';
import { OAuthClients } from './connection/clients.ts';
import { OAuthTokens } from './connection/tokens.ts';
import { VcsHooks } from './hooks/hooks.ts';

/** Settings of the operator for requests to providers. */
export interface VcsOptions {
  /** Host names, IP addresses and CIDR blocks to which the server connects although their networks are blocked. */
  readonly allowedAddresses?: readonly string[];
  /** PEM of CAs that the server trusts for providers, besides the CAs of the system. */
  readonly authorities?: readonly string[];
  /** Resolver of names, for tests: clients have the names of public providers in their code. */
  readonly resolve?: Resolve;
}

/** Services of connections to version control. */
export interface Vcs {
  readonly hooks: VcsHooks;
  readonly oauthClients: OAuthClients;
  readonly oauthTokens: OAuthTokens;
  readonly connections: Connections;
}

export function createVcs(
  { database, keyring, clock }: Platform,
  { organizations, projects, hooks }: Tenancy,
  workspace: WorkspaceServices,
  { allowedAddresses = [], authorities = [], resolve }: VcsOptions = {},
): Vcs {
  const fetch = createTenantFetch(allowedAddresses, resolve);
  const oauthClients = new OAuthClients({ database, keyring, clock, organizations, projects, hooks });
  const oauthTokens = new OAuthTokens(database, keyring, { organizations, clients: oauthClients });
  const connections = new Connections({
    ...{ database, keyring },
    httpFor: () => {
      throw new Error(`no client yet: ${typeof fetch} ${authorities.length}`);
    },
  });
  workspace.hooks.extend({ references: { connections: oauthTokens } });
  return { hooks: new VcsHooks(), oauthClients, oauthTokens, connections };
}
