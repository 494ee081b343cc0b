import type { AddressInfo } from 'node:net';
import type { ListenerConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

/** Says what is wrong with an address. @throws ConfigError where it is the address; otherwise the error itself */
export function refuseAddress(error: NodeJS.ErrnoException & { address?: string; port?: number }): never {
  const where = `${error.address}:${error.port}`;
  if (error.code === 'EADDRINUSE')
    throw new ConfigError(`${where} is taken: another program listens there; choose another address`);
  if (error.code === 'EACCES') throw new ConfigError(`${where} may not be used by this user; choose a port above 1023`);
  if (error.code === 'EADDRNOTAVAIL') throw new ConfigError(`${where} is no address of this machine`);
  throw error;
}

/** `https://127.0.0.1:8200` */
export function listenerUrl(
  listener: Pick<ListenerConfig, 'tls'> | undefined,
  { address, port, family }: AddressInfo,
): string {
  return `${listener?.tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
