import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';

/**
 * Creates a client that reaches only some servers, over plain HTTP too. Names are resolved by the system. Metadata
 * services of clouds are reached only if their exact address is in the list.
 * @param hosts host names, IP addresses and CIDR blocks
 * @throws CidrError if a block is invalid
 */
export function createForwardingFetch(hosts: readonly string[]): GuardedFetch {
  return createGuardedFetch({ allowed: hosts, onlyAllowed: true });
}
