import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { withinBlocks } from '../../../lib/cidr.ts';

/**
 * IP address at which a run reaches the DNS resolver of this machine. Pasta forwards the queries, because that resolver
 * may listen on the loopback.
 */
export const RESOLVER = '192.0.0.3';

/**
 * Returns `/etc/resolv.conf` for a run: the machine's resolvers that the run may connect to; if there are none,
 * `RESOLVER`.
 * @param denied IP addresses and CIDR blocks
 */
export function resolverSettings(denied: readonly string[]): string {
  const lines = hostSettings();
  const servers = lines.flatMap((line) => /^\s*nameserver\s+(\S+)/.exec(line)?.[1] ?? []);
  const reachable = servers.filter((one) => isIP(one) !== 0 && !withinBlocks(one, denied));
  const others = lines.filter((line) => /^\s*(search|domain|options)\s/.test(line));
  const used = reachable.length > 0 ? reachable : [RESOLVER];
  return [...used.map((one) => `nameserver ${one}`), ...others, ''].join('\n');
}

function hostSettings(): string[] {
  try {
    return readFileSync('/etc/resolv.conf', 'utf8').split('\n');
  } catch {
    return [];
  }
}
