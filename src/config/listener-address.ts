import type { AddressInfo } from 'node:net';
import type { ListenerConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

/** Explains why a listener did not start. @throws ConfigError if its address is the cause, otherwise the original error */
export function refuseAddress(error: NodeJS.ErrnoException & { address?: string; port?: number }): never {
  const where = `${error.address}:${error.port}`;
  if (error.code === 'EADDRINUSE')
    throw new ConfigError(`${where} is in use: another program listens there; choose another address`);
  if (error.code === 'EACCES') throw new ConfigError(`${where} is not allowed for this user; choose a port above 1023`);
  if (error.code === 'EADDRNOTAVAIL')
    throw new ConfigError(`${where} is not an address of this machine; choose another address`);
  throw error;
}

/** Returns the URL of a listener, such as `https://127.0.0.1:8200`. */
export function listenerUrl(
  listener: Pick<ListenerConfig, 'tls'> | undefined,
  { address, port, family }: AddressInfo,
): string {
  return `${listener?.tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
