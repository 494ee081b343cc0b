import type { Logger } from 'pino';
import { type Config, type ListenerConfig, listenerUrl, refuseAddress, type ServiceName } from '../config/index.ts';
import type { Service } from '../lib/service.ts';
import { createServer, DEFAULT_LIMITS, DEFAULT_SERVER_LIMITS, type HttpServer, type Metrics } from '../server/index.ts';
import { workspacesServices } from '../workspaces/index.ts';
import type { Domains, Watch } from './domains.ts';
import type { Peers } from './peers.ts';
import { readListenerTls } from './pem-files.ts';

/** Of all listeners together. */
interface ServerParts extends Watch {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly peers?: Peers | undefined;
}

/**
 * The services on the listeners that the configuration names.
 * @throws ConfigError for TLS files that cannot be used
 */
export async function composeServer(
  config: Config,
  domains: Domains,
  { peers, ...parts }: ServerParts,
): Promise<HttpServer> {
  const services = servicesOf(domains, parts.metrics);
  const { bodyBytes, connections, connectionsPerAddress, requestsInFlight, chainMemory } = config.limits;
  // Workers have alike many connections: each has its part of what the server may have.
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
      services: listener.services.flatMap((name) => services[name]),
    })),
  );
  const limits = {
    requests: part(requestsInFlight ?? DEFAULT_SERVER_LIMITS.requests),
    unsentBytes: part(DEFAULT_SERVER_LIMITS.unsentBytes),
  };
  return createServer({ listeners, limits, ...(chainMemory && { chainMemory }), ...parts });
}

/**
 * Reads the certificates and keys of all listeners anew; new connections get them.
 * @throws ConfigError for files that cannot be used; the old ones stay then
 */
export async function reloadTls(server: HttpServer, listeners: readonly ListenerConfig[]): Promise<void> {
  const read = listeners.map(async (listener, index) => {
    const { tls } = listener;
    return tls && { name: nameOf(listener), tls: await readListenerTls(`listeners[${index}].tls`, tls) };
  });
  for (const one of await Promise.all(read)) if (one) server.reloadTls(one.name, one.tls);
}

const nameOf = ({ host, port }: ListenerConfig) => `${host}:${port}`;

function servicesOf({ access, workspaces }: Domains, metrics: Metrics): Record<ServiceName, readonly Service[]> {
  return {
    access: [access.service],
    workspaces: workspacesServices(workspaces),
    metrics: [metrics.service()],
  };
}

/**
 * Opens the listeners. Answers with the address of each, in the order of the configuration.
 * @throws ConfigError for addresses that cannot be used
 */
export async function startListening(server: HttpServer, listeners: readonly ListenerConfig[]): Promise<string[]> {
  const started = await server.start().catch(refuseAddress);
  return started.map(({ address }, index) => listenerUrl(listeners[index], address));
}
