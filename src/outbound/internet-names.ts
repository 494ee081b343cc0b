import { Resolver } from 'node:dns/promises';
import type { Resolve } from './address-guard.ts';

/** Timeout of one query to a DNS server in milliseconds, and the number of queries to each server. */
export interface NameOptions {
  readonly timeout?: number;
  readonly tries?: number;
  /** Servers such as `127.0.0.1:53`; by default those of the system. */
  readonly servers?: readonly string[];
}

const LOOPBACK = [{ address: '127.0.0.1' }, { address: '::1' }];
const LOCALHOST = /(^|\.)localhost\.?$/i;

/**
 * Resolves names with DNS only, for names from untrusted users. The system's resolver (`getaddrinfo`) blocks one of the
 * four threads of the pool while a DNS server is slow, and file operations need these threads too.
 */
export function internetNames({ timeout = 2000, tries = 2, servers }: NameOptions = {}): Resolve {
  const resolver = new Resolver({ timeout, tries });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    // RFC 6761 §6.3: such names must not be sent to a DNS server.
    if (LOCALHOST.test(hostname)) return LOOPBACK;
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [first] = answers;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses.map((address) => ({ address }));
  };
}
