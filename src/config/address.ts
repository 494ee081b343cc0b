import { ConfigError } from './read.ts';

/** `[::1]:8200` → host `::1`, port 8200. */
export function splitAddress(address: string, key: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':');
  const port = Number(address.slice(colon + 1));
  const host = address.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  if (colon < 1 || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ConfigError(`${key}: found ${JSON.stringify(address)}; allowed: HOST:PORT with a port from 0 to 65535`);
  }
  return { host, port };
}
