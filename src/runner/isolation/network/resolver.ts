import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { withinBlocks } from '../../../lib/cidr.ts';

/** Where a run finds the resolver of this machine, which may be on its loopback: pasta passes queries on. */
export const RESOLVER = '192.0.0.3';

/**
 * The content of `/etc/resolv.conf` for a run: resolvers that it may connect to; else the one of this machine.
 * @param denied addresses and CIDR blocks
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
