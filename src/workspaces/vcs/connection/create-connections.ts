import type { Delivery, DeliveryLoop } from '../../delivery/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Tenancy } from '../../tenancy/index.ts';
import type { FetchFor } from '../hooks/forwarding.ts';
import { GitHubApps } from '../provider/github/app/app-client.ts';
import { ProviderClients } from '../provider/http/provider-clients.ts';
import type { ProviderHttp } from '../provider/port.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { findProviderKind } from '../provider/providers.ts';
import { Connections } from './access.ts';
import type { AppWebhooks } from './app/app.ts';
import { OrganizationApps } from './app/apps.ts';
import { Installations } from './app/installations.ts';
import { OAuthClients } from './clients.ts';
import { type HttpPlace, isInstallation, type WebhookRemovals } from './connection.ts';
import { Credentials } from './credentials.ts';
import { ConnectionChecks } from './health/checks.ts';
import { ManualChecks } from './health/manual-checks.ts';
import { Moves } from './move.ts';
import { ConnectionSealing } from './sealing.ts';
import { Authorizations } from './sign-in/authorizations.ts';
import { OAuthConnect } from './sign-in/connect.ts';
import { OAuthTokens } from './tokens.ts';

/** Services of connections to VCS providers. */
export interface ConnectionServices {
  readonly oauthClients: OAuthClients;
  readonly oauthTokens: OAuthTokens;
  readonly oauthConnect: OAuthConnect;
  readonly organizationApps: OrganizationApps;
  readonly installations: Installations;
  readonly connections: Connections;
  readonly manualChecks: ManualChecks;
  /** Sends checks that are due. */
  readonly connectionChecks: readonly DeliveryLoop<unknown>[];
  /** URL of this server, if it is configured. */
  readonly address: string | undefined;
  /** Returns the HTTP client for requests to the API of a connection. */
  readonly httpFor: (place: HttpPlace) => ProviderHttp;
}

interface Below {
  readonly delivery: Delivery;
  readonly tenancy: Tenancy;
  readonly address?: string | undefined;
  readonly webhooks: AppWebhooks;
  readonly removals: WebhookRemovals;
}

/** @param outgoing client for URLs of tenants, and PEM of CAs that it trusts */
export function createConnections(
  { database, keyring, clock }: Platform,
  { delivery, tenancy, address, webhooks, removals }: Below,
  outgoing: { readonly fetchFor: FetchFor; readonly authorities: readonly string[] },
): ConnectionServices {
  const { organizations, projects, hooks } = tenancy;
  const sealing = new ConnectionSealing(keyring);
  const authorizations = new Authorizations(database, keyring, clock);
  const { httpFor, providerOf, flowOf } = providerParts(new ProviderClients({ ...outgoing, clock }));
  const httpForApp = (place: Omit<HttpPlace, 'serviceProvider' | 'agentPoolId'>) =>
    httpFor({ ...place, serviceProvider: 'github', agentPoolId: null });
  const credentials = new Credentials({ database, clock, sealing, flowOf, httpFor });
  const parts = { database, clock, sealing, organizations, authorizations };
  const organizationApps = new OrganizationApps({ ...parts, webhooks, httpFor: httpForApp });
  const installations = new Installations({
    ...{ database, organizations, apps: organizationApps, github: new GitHubApps(clock), httpFor: httpForApp },
  });
  const connections = new Connections({ database, clock, credentials, installations, httpFor });
  const moves = new Moves({ database, sealing, providerOf, httpFor });
  const clients = new OAuthClients({ database, sealing, moves, removals, clock, organizations, projects, hooks });
  const checks = new ConnectionChecks({ database, clock, connections, providerOf });
  return {
    ...{ organizationApps, installations, connections, address, httpFor, oauthClients: clients },
    oauthTokens: new OAuthTokens(database, sealing, { organizations, clients }),
    oauthConnect: new OAuthConnect({ ...parts, clients, credentials, connections, checks, flowOf, httpFor }),
    manualChecks: new ManualChecks({ database, clients, installations, connections, checks }),
    connectionChecks: [delivery.add(checks.queue('token')), delivery.add(checks.queue('installation'))],
  };
}

function providerParts(clients: ProviderClients) {
  const kindOf = ({ id, serviceProvider }: Pick<HttpPlace, 'id' | 'serviceProvider'>) =>
    findProviderKind(serviceProvider, isInstallation(id) ? 'app' : 'token');
  return {
    providerOf: (connection: Pick<HttpPlace, 'id' | 'serviceProvider'>) => kindOf(connection)?.provider,
    flowOf: (serviceProvider: string) => findProviderKind(serviceProvider, 'oauth')?.provider.oauth,
    httpFor: (place: HttpPlace) => {
      const kind = kindOf(place);
      if (kind === undefined) throw new ProviderError('rejected', 'This server cannot use the provider');
      return clients.clientOf(place, kind.http);
    },
  };
}
