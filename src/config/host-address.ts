import { shownAddress } from '../lib/address/bare-address.ts';
import { CidrError, canonicalBlocks } from '../lib/cidr.ts';
import { canonicalHost } from '../lib/host-name.ts';
import { ConfigError } from './config-error.ts';

/** Parses an address such as `[::1]:8200` into host and port. */
export function splitAddress(address: string, key: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':');
  const port = Number(address.slice(colon + 1));
  const host = address.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  if (colon < 1 || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ConfigError(`${key}: found ${JSON.stringify(address)}; allowed: HOST:PORT with a port from 0 to 65535`);
  }
  return { host, port };
}

/**
 * Parses IP addresses and CIDR blocks. Returns each in canonical form.
 * @param key the setting's name, for the error
 * @throws ConfigError
 */
export function addressBlocks(key: string, texts: readonly string[]): string[] {
  try {
    return canonicalBlocks(texts);
  } catch (error) {
    if (!(error instanceof CidrError)) throw error;
    throw new ConfigError(`${key}: ${error.message}; allowed: IP addresses and CIDR blocks`);
  }
}

/** Allowed values of `hostsAndBlocks`, for error messages. */
export const HOSTS_AND_BLOCKS = 'host names, IP addresses and CIDR blocks';

/**
 * Parses host names, IP addresses and CIDR blocks. Returns each in canonical form.
 * @param key the setting's name, for the error
 * @throws ConfigError
 */
export function hostsAndBlocks(key: string, texts: readonly string[]): string[] {
  return texts.map((text) => {
    const host = canonicalHost(text);
    if (host !== undefined) return host;
    try {
      return canonicalBlocks([text]).join();
    } catch (error) {
      if (!(error instanceof CidrError)) throw error;
      const found = JSON.stringify(shownAddress(text).slice(0, 100));
      throw new ConfigError(`${key}: found ${found}; allowed: ${HOSTS_AND_BLOCKS}`);
    }
  });
}

/**
 * Parses the public URL of this server and returns its canonical form.
 * @throws ConfigError for a URL with anything other than https, a host and an optional port
 */
export function publicAddress(key: string, text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.origin === text) return text;
  const found = JSON.stringify(shownAddress(text).slice(0, 100));
  throw new ConfigError(
    `${key}: found ${found}; allowed: https://HOST or https://HOST:PORT in lower case, without a trailing slash`,
  );
}
