import { lookup } from 'node:dns/promises';
import { DENIED_BLOCKS, METADATA_ADDRESSES } from '../../../lib/address/denied-addresses.ts';
import { ownAddresses } from '../../../lib/address/own-addresses.ts';
import { withinBlocks } from '../../../lib/cidr.ts';

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** The server of a run, if it listens on this machine. */
export interface ServerHere {
  readonly port: number;
  /** Whether a run reaches the server by the loopback of its own network. */
  readonly isOnLoopback: boolean;
  /** Non-loopback IP addresses of this machine to which the server's name resolves. */
  readonly addresses: readonly string[];
}

/**
 * Returns the CIDR blocks that no run may connect to: this machine, link-local addresses, and the metadata services of
 * clouds.
 * @param more blocks of the operator
 */
export function deniedBlocks(more: readonly string[]): string[] {
  const always = [...DENIED_BLOCKS, ...METADATA_ADDRESSES].map(({ block }) => block);
  return [...always, ...ownAddresses(), ...more];
}

/**
 * Looks up whether the server runs on this machine.
 * @param server its URL
 * @returns undefined if it runs elsewhere, or its name does not resolve
 */
export async function serverHere(server: string): Promise<ServerHere | undefined> {
  const { hostname, port, protocol } = new URL(server);
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  const own = ownAddresses();
  const here = found.map(({ address }) => address).filter((one) => own.includes(one) || isLoopback(one));
  if (here.length === 0) return undefined;
  return {
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    isOnLoopback: here.some(isLoopback),
    addresses: here.filter((one) => !isLoopback(one)),
  };
}

const isLoopback = (address: string): boolean => withinBlocks(address, LOOPBACK);
