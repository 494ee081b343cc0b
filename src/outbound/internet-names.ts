import { Resolver } from 'node:dns/promises';
import type { Resolve } from './address-guard.ts';

/** How long one server of names is waited for, in milliseconds, and how often each is asked. */
export interface NameOptions {
  readonly timeout?: number;
  readonly tries?: number;
  /** `127.0.0.1:53`; default: those of the system. */
  readonly servers?: readonly string[];
}

const LOOPBACK = [{ address: '127.0.0.1' }, { address: '::1' }];
const LOCALHOST = /(^|\.)localhost\.?$/i;

/**
 * Looks names up in DNS alone, for addresses that strangers name. The system's own way (`getaddrinfo`) holds a thread for as long
 * as a server of names takes, of which there are four; those that are lost so are missed by every file that is read or written.
 */
export function internetNames({ timeout = 2000, tries = 2, servers }: NameOptions = {}): Resolve {
  const resolver = new Resolver({ timeout, tries });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    // RFC 6761 §6.3: no server is asked.
    if (LOCALHOST.test(hostname)) return LOOPBACK;
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [first] = answers;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses.map((address) => ({ address }));
  };
}
