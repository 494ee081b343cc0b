import type { Logger } from 'pino';
import { type Config, type ListenerConfig, listenerUrl, refuseAddress, type ServiceName } from '../config/index.ts';
import {
  type BuiltFiles,
  backChannelService,
  consoleService,
  homeService,
  isFromOwnOrigin,
  readBuiltFiles,
  type SessionApiName,
  Sessions,
  type SignInLink,
  type SignInProviders,
  wayIn,
  withSessions,
} from '../console/index.ts';
import type { RequestTracing } from '../lib/request.ts';
import type { Service } from '../lib/service.ts';
import {
  createServer,
  DEFAULT_LIMITS,
  DEFAULT_SERVER_LIMITS,
  type HttpServer,
  type Metrics,
  type RateLimits,
} from '../server/index.ts';
import { entranceServices, type PageSession, workspacesService } from '../workspaces/index.ts';
import { certificateSignIn } from './certificate-sign-in.ts';
import type { DomainDependencies, Domains, Observability } from './domains.ts';
import type { ServedCertificates } from './metrics/index.ts';
import { invitationSignIn, passkeySignIn } from './passkey-sign-in.ts';
import type { Peers } from './peers.ts';
import { readListenerTls } from './pem-files.ts';
import { accessSessionApi, workspacesSessionApi } from './session-apis.ts';
import { signInProviders } from './sign-in-providers.ts';

/** Limits across all listeners. */
interface ServerParts extends Observability {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly peers?: Peers | undefined;
  /** Called with loaded certificates. */
  readonly served: ServedCertificates;
  readonly rates: RateLimits | undefined;
  readonly tracing: RequestTracing | undefined;
  readonly link: SignInLink | undefined;
}

/**
 * Creates the configured listeners with their services.
 * @throws ConfigError for unusable TLS files
 */
export async function composeServer(
  { config, ...foundation }: Pick<DomainDependencies, 'config' | 'keyring' | 'clock'>,
  domains: Domains,
  { peers, served, ...parts }: ServerParts,
): Promise<HttpServer> {
  const hasConsole = config.listeners.some(({ services }) => services.includes('console'));
  const shared: Shared = {
    domains,
    metrics: parts.metrics.service(),
    sessions: (listener) => sessionsOf(listener, foundation, domains),
    files: hasConsole ? readBuiltFiles() : undefined,
    link: parts.link,
    providers: hasConsole ? await signInProviders(config, domains, foundation.clock) : undefined,
  };
  const { bodyBytes, connections, connectionsPerAddress, requestsInFlight, chainMemory } = config.limits;
  // Connections are spread evenly, so each worker gets an equal share of the limit.
  const part = (ofServer: number) => Math.ceil(ofServer / (config.workers ?? 1));
  const listeners = await Promise.all(
    config.listeners.map(async (listener, index) => ({
      name: nameOf(listener),
      address: { host: listener.host, port: listener.port },
      ...(listener.tls && { tls: await readListenerTls(`listeners[${index}].tls`, listener.tls) }),
      requestClientCertificate: listener.requestClientCertificate,
      ...(listener.forwarded && { forwarded: listener.forwarded }),
      limits: {
        ...DEFAULT_LIMITS,
        bodyBytes,
        connections: part(connections),
        connectionsPerAddress: part(connectionsPerAddress ?? DEFAULT_LIMITS.connectionsPerAddress),
      },
      ...(peers && { incoming: peers.incoming(index) }),
      services: servicesOf(listener, config, shared),
    })),
  );
  for (const { name, tls } of listeners) if (tls) served.note(name, tls.certificate);
  const limits = {
    requests: part(requestsInFlight ?? DEFAULT_SERVER_LIMITS.requests),
    unsentBytes: part(DEFAULT_SERVER_LIMITS.unsentBytes),
    streams: part(DEFAULT_SERVER_LIMITS.streams),
  };
  return createServer({ listeners, limits, ...(chainMemory && { chainMemory }), ...parts });
}

/**
 * Reloads certificates and keys of all listeners for new connections.
 * @throws ConfigError for unusable files; the old ones stay in effect
 */
export async function reloadTls(
  server: HttpServer,
  listeners: readonly ListenerConfig[],
  served: ServedCertificates,
): Promise<void> {
  const read = listeners.map(async (listener, index) => {
    const { tls } = listener;
    return tls && { name: nameOf(listener), tls: await readListenerTls(`listeners[${index}].tls`, tls) };
  });
  for (const one of await Promise.all(read)) {
    if (!one) continue;
    server.reloadTls(one.name, one.tls);
    served.note(one.name, one.tls.certificate);
  }
}

const nameOf = ({ host, port }: ListenerConfig) => `${host}:${port}`;

/** Services that all listeners share, created once. */
interface Shared {
  readonly domains: Domains;
  readonly metrics: Service;
  readonly sessions: (listener: ListenerConfig) => Sessions;
  readonly files: BuiltFiles | undefined;
  readonly providers: SignInProviders | undefined;
  readonly link: SignInLink | undefined;
}

/** Services of a listener. The console comes after the pages inside its path. */
function servicesOf(listener: ListenerConfig, config: Config, shared: Shared): readonly Service[] {
  const { listeners } = config;
  const { access, workspaces } = shared.domains;
  const has = (name: ServiceName) => listener.services.includes(name);
  const providers = has('console') && has('workspaces') ? shared.providers : undefined;
  const sessions = has('console') ? shared.sessions(listener) : undefined;
  const hasPasskeys = has('workspaces') && (config.signIn?.passkeys ?? true);
  const withSession = (service: Service, side: SessionApiName) =>
    sessions ? withSessions(service, side, sessions) : service;
  return [
    ...(has('access') ? [withSession(access.service, 'access')] : []),
    ...(has('workspaces') ? [withSession(workspacesService(workspaces), 'workspaces')] : []),
    ...(has('workspaces') ? entranceServices(workspaces, sessions && pageSession(sessions, providers)) : []),
    ...(providers ? [backChannelService(providers)] : []),
    ...(sessions
      ? [
          consoleService({
            sessions,
            files: shared.files,
            providers,
            passkeys: hasPasskeys ? passkeySignIn(workspaces, config.workspaces?.address) : undefined,
            invitations: has('workspaces') ? invitationSignIn(workspaces, config.workspaces?.address) : undefined,
            link: shared.link,
            certificates: certificateSignIn(listener, listeners, access),
          }),
          homeService(),
        ]
      : []),
    ...(has('metrics') ? [shared.metrics] : []),
  ];
}

/** Forms of the login pages cannot send our header, so a matching Origin is sufficient. */
function pageSession(sessions: Sessions, providers: SignInProviders | undefined): PageSession {
  return {
    wayIn: async (request) => providers && wayIn(providers, sessions.shown(request)),
    hasOrganizations: async () => (await providers?.organizations?.areThere()) ?? false,
    tokenOf: (request) => (isFromOwnOrigin(request) ? sessions.shown(request)?.held.workspaces?.token : undefined),
    shownTokenOf: (request) => sessions.shown(request)?.held.workspaces?.token,
  };
}

function sessionsOf(
  { services }: ListenerConfig,
  foundation: Pick<DomainDependencies, 'keyring' | 'clock'>,
  domains: Domains,
) {
  const { keyring, clock } = foundation;
  const sides = {
    ...(services.includes('access') && { access: accessSessionApi(domains.access) }),
    ...(services.includes('workspaces') && { workspaces: workspacesSessionApi(domains.workspaces) }),
  };
  return new Sessions({ keyring, clock, sides });
}

/**
 * Opens the listeners. Returns their URLs in the order of the configuration.
 * @throws ConfigError for unusable addresses
 */
export async function startListening(server: HttpServer, listeners: readonly ListenerConfig[]): Promise<string[]> {
  const started = await server.start().catch(refuseAddress);
  return started.map(({ address }, index) => listenerUrl(listeners[index], address));
}
