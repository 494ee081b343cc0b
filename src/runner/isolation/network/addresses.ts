import { lookup } from 'node:dns/promises';
import { DENIED_BLOCKS, METADATA_ADDRESSES } from '../../../lib/address/denied-addresses.ts';
import { ownAddresses } from '../../../lib/address/own-addresses.ts';
import { withinBlocks } from '../../../lib/cidr.ts';

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** The server of a run, where it listens on this machine. */
export interface ServerHere {
  readonly port: number;
  /** A run reaches it by the loopback of its own network. */
  readonly isOnLoopback: boolean;
  /** Other addresses of this machine that its name leads to. */
  readonly addresses: readonly string[];
}

/**
 * Blocks that no run connects to: this machine, its links, and the metadata services of clouds.
 * @param more those of the operator
 */
export function deniedBlocks(more: readonly string[]): string[] {
  const always = [...DENIED_BLOCKS, ...METADATA_ADDRESSES].map(({ block }) => block);
  return [...always, ...ownAddresses(), ...more];
}

/** @param server its URL. @returns undefined where it is elsewhere, or has no name that is known */
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
