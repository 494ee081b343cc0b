import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import type { Delivery, DeliveryLoop } from '../../delivery/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Tenancy } from '../../tenancy/index.ts';
import { ProviderClients } from '../provider/http/provider-clients.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { findProviderKind } from '../provider/providers.ts';
import { Connections } from './access.ts';
import { OAuthClients } from './clients.ts';
import type { HttpPlace } from './connection.ts';
import { Credentials } from './credentials.ts';
import { ConnectionChecks } from './health/checks.ts';
import { ManualChecks } from './health/manual-checks.ts';
import { Moves } from './move.ts';
import { ConnectionSealing } from './sealing.ts';
import { OAuthTokens } from './tokens.ts';

/** Services of connections to VCS providers. */
export interface ConnectionServices {
  readonly oauthClients: OAuthClients;
  readonly oauthTokens: OAuthTokens;
  readonly connections: Connections;
  readonly manualChecks: ManualChecks;
  /** Sends checks that are due. */
  readonly connectionChecks: readonly DeliveryLoop<unknown>[];
  readonly address: string | undefined;
}

interface Below {
  readonly delivery: Delivery;
  readonly tenancy: Tenancy;
  readonly address?: string | undefined;
}

/** @param outgoing client for URLs of tenants, and PEM of CAs that it trusts */
export function createConnections(
  { database, keyring, clock }: Platform,
  { delivery, tenancy, address }: Below,
  outgoing: { readonly fetch: GuardedFetch; readonly authorities: readonly string[] },
): ConnectionServices {
  const { organizations, projects, hooks } = tenancy;
  const sealing = new ConnectionSealing(keyring);
  const clients = new ProviderClients({ ...outgoing, clock });
  const providerOf = (serviceProvider: string) => findProviderKind(serviceProvider)?.provider;
  const httpFor = (place: HttpPlace) => {
    const kind = findProviderKind(place.serviceProvider);
    if (kind === undefined) throw new ProviderError('rejected', 'This server cannot use the provider');
    return clients.clientOf(place, kind.http);
  };
  const flowOf = (serviceProvider: string) => providerOf(serviceProvider)?.oauth;
  const credentials = new Credentials({ database, clock, sealing, flowOf, httpFor });
  const installations = {
    token: async () => {
      throw new ProviderError('refused', 'The GitHub App is not installed');
    },
  };
  const connections = new Connections({ database, clock, credentials, installations, httpFor });
  const moves = new Moves({ database, sealing, providerOf, httpFor });
  const oauthClients = new OAuthClients({ database, sealing, moves, clock, organizations, projects, hooks });
  const checks = new ConnectionChecks({ database, clock, connections, providerOf });
  return {
    oauthClients,
    oauthTokens: new OAuthTokens(database, sealing, { organizations, clients: oauthClients }),
    connections,
    manualChecks: new ManualChecks({ database, clients: oauthClients, connections, checks }),
    connectionChecks: [delivery.add(checks.queue('token')), delivery.add(checks.queue('installation'))],
    address,
  };
}
