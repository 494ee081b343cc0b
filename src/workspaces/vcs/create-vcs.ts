import type { Resolve } from '../../outbound/address-guard.ts';
import { createTenantFetch } from '../../outbound/tenant-fetch.ts';
import type { Delivery, DeliveryLoop } from '../delivery/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenancy/index.ts';
import type { WorkspaceServices } from '../workspace/index.ts';
import { Browse } from './browse/browse.ts';
import { type ConnectionServices, createConnections } from './connection/create-connections.ts';
import { ConnectionSealing } from './connection/sealing.ts';
import { createDecisions, type DecisionServices } from './create-decisions.ts';
import { createRepositories, type RepositoryServices } from './create-repositories.ts';
import { AppHooks } from './hook/app-hooks.ts';
import { HookRemovalQueue, HookRemovals } from './hook/removals.ts';
import { HookSecrets } from './hook/secrets.ts';
import { fetchOfConnections, interruptible } from './hooks/forwarding.ts';
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

/** Services of version control. */
export interface Vcs extends ConnectionServices, RepositoryServices, DecisionServices {
  readonly browse: Browse;
  /** Deletes webhooks of deleted connections. */
  readonly hookRemovals: DeliveryLoop<unknown>;
}

/** Modules below this one. */
export interface BelowVcs {
  readonly delivery: Delivery;
  readonly tenancy: Tenancy;
  readonly workspace: WorkspaceServices;
  /** URL of this server, if it is configured. */
  readonly address?: string | undefined;
}

export function createVcs(
  platform: Platform,
  below: BelowVcs,
  { allowedAddresses = [], authorities = [], resolve }: VcsOptions = {},
): Vcs {
  const hooks = new VcsHooks();
  const client = fetchOfConnections(createTenantFetch(allowedAddresses, resolve), () => hooks.forwarding);
  const fetchFor = interruptible(client, below.delivery.end);
  const webhooks = new AppHooks(new HookSecrets(platform.keyring), below.address);
  const removals = new HookRemovals(platform.keyring, new ConnectionSealing(platform.keyring));
  const connections = createConnections(platform, { ...below, webhooks, removals }, { fetchFor, authorities });
  below.workspace.hooks.extend({
    references: { connections: connections.oauthTokens, installations: connections.installations },
  });
  const repositories = createRepositories(platform, below, { ...connections, hooks, fetchFor, authorities });
  const hookRemovals = below.delivery.add(new HookRemovalQueue(platform.keyring, connections.httpFor));
  const { organizations } = below.tenancy;
  const browse = new Browse({ ...platform, ...connections, organizations, opener: repositories.opener });
  return { ...connections, ...repositories, ...createDecisions(platform, below, repositories), browse, hookRemovals };
}
