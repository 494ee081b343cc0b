import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type Config, ConfigError, type ListenerConfig, type ServiceName } from '../config/index.ts';
import type { Service } from '../lib/service.ts';
import { createServer, DEFAULT_LIMITS, type HttpServer, type Metrics } from '../server/index.ts';
import { workspacesServices } from '../workspaces/index.ts';
import type { Domains, Watch } from './domains.ts';
import { readListenerTls } from './pem-files.ts';

/** Of all listeners together. */
interface ServerParts extends Watch {
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/**
 * The services on the listeners that the configuration names.
 * @throws ConfigError for TLS files that cannot be used
 */
export async function composeServer(config: Config, domains: Domains, parts: ServerParts): Promise<HttpServer> {
  const services = servicesOf(domains, parts.metrics);
  const { bodyBytes, connections, connectionsPerAddress, requestsInFlight, chainMemory } = config.limits;
  const listeners = await Promise.all(
    config.listeners.map(async (listener, index) => ({
      name: `${listener.host}:${listener.port}`,
      address: { host: listener.host, port: listener.port },
      ...(listener.tls && { tls: await readListenerTls(`listeners[${index}].tls`, listener.tls) }),
      requestClientCertificate: listener.requestClientCertificate,
      ...(listener.forwarded && { forwarded: listener.forwarded }),
      limits: { ...DEFAULT_LIMITS, bodyBytes, connections, ...(connectionsPerAddress && { connectionsPerAddress }) },
      services: listener.services.flatMap((name) => services[name]),
    })),
  );
  const limits = requestsInFlight === undefined ? {} : { requests: requestsInFlight };
  return createServer({ listeners, limits, ...(chainMemory && { chainMemory }), ...parts });
}

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
  return started.map(({ address }, index) => url(listeners[index], address));
}

function refuseAddress(error: NodeJS.ErrnoException & { address?: string; port?: number }): never {
  const where = `${error.address}:${error.port}`;
  if (error.code === 'EADDRINUSE')
    throw new ConfigError(`${where} is taken: another program listens there; choose another address`);
  if (error.code === 'EACCES') throw new ConfigError(`${where} may not be used by this user; choose a port above 1023`);
  if (error.code === 'EADDRNOTAVAIL') throw new ConfigError(`${where} is no address of this machine`);
  throw error;
}

function url(listener: ListenerConfig | undefined, { address, port, family }: AddressInfo): string {
  return `${listener?.tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
