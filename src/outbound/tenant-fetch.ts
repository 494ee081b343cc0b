import { lookup } from 'node:dns/promises';
import { DENIED_BLOCKS, PRIVATE_BLOCKS } from '../lib/address/denied-addresses.ts';
import { canonicalHost } from '../lib/host-name.ts';
import type { Resolve } from './address-guard.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { internetNames } from './internet-names.ts';

const CLOSED = [...DENIED_BLOCKS, ...PRIVATE_BLOCKS].map(({ block }) => block);

/**
 * Creates a client for URLs from tenants. It uses only https and reaches no private network, unless the operator allows
 * it.
 * @param allowedAddresses host names, IP addresses and CIDR blocks that are allowed although they are denied, over
 * plain HTTP too
 * @param resolve resolver of names, for tests; the addresses that it returns are checked like others
 * @throws CidrError if an allowed block is invalid
 */
export function createTenantFetch(
  allowedAddresses: readonly string[],
  resolve: Resolve = resolveFor(allowedAddresses),
): GuardedFetch {
  return createGuardedFetch({
    ...{ deniedBlocks: CLOSED, allowed: allowedAddresses, plainHttp: 'allowed' },
    resolve,
  });
}

/**
 * Resolves names that the operator allows with the system's resolver, since only this machine may know them; all others
 * with DNS only.
 */
function resolveFor(allowedAddresses: readonly string[]): Resolve {
  const own = new Set(allowedAddresses.flatMap((text) => canonicalHost(text) ?? []));
  const ofInternet = internetNames();
  return (hostname) =>
    own.has(canonicalHost(hostname) ?? '') ? lookup(hostname, { all: true }) : ofInternet(hostname);
}
