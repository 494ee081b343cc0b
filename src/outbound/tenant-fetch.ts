import { lookup } from 'node:dns/promises';
import { DENIED_BLOCKS, PRIVATE_BLOCKS } from '../lib/address/denied-addresses.ts';
import { canonicalHost } from '../lib/host-name.ts';
import type { Resolve } from './address-guard.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { internetNames } from './internet-names.ts';

const CLOSED = [...DENIED_BLOCKS, ...PRIVATE_BLOCKS].map(({ block }) => block);

/**
 * For addresses that those name who are only guests here. Over https alone, and to no closed network, unless the operator allows it.
 * @param allowedAddresses host names, addresses and CIDR blocks that are open although they are closed, over plain HTTP too
 * @throws CidrError when an allowed block is none
 */
export function createTenantFetch(allowedAddresses: readonly string[]): GuardedFetch {
  return createGuardedFetch({
    ...{ deniedBlocks: CLOSED, allowed: allowedAddresses, plainHttp: 'allowed' },
    resolve: resolveFor(allowedAddresses),
  });
}

/** Names that the operator has written down may be known to this machine alone; all others are strangers'. */
function resolveFor(allowedAddresses: readonly string[]): Resolve {
  const own = new Set(allowedAddresses.flatMap((text) => canonicalHost(text) ?? []));
  const ofInternet = internetNames();
  return (hostname) =>
    own.has(canonicalHost(hostname) ?? '') ? lookup(hostname, { all: true }) : ofInternet(hostname);
}
