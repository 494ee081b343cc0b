import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { canonicalBlocks } from '../lib/cidr.ts';
import { FetchError } from './fetch-error.ts';

/** An address that a connection may be made to. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a name; rejects when there is none. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string }[]>;

/**
 * Denied unless the operator says otherwise: this machine, its links, and the metadata services of clouds, which hand out
 * credentials to whoever asks from inside. Private networks are allowed: responders of private authorities live there.
 */
export const DEFAULT_DENIED_BLOCKS: readonly string[] = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '100.100.100.200',
  '168.63.129.16',
  // Loopback, unspecified, and the abandoned form of IPv4 addresses in IPv6.
  '::/96',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::254',
  'fd20:ce::254',
];

/** Prefixes of IPv6 addresses that lead to the IPv4 address in their last 32 bits: IPv4-mapped, and NAT64 (RFC 6052 §2.1). */
const IPV4_IN_IPV6 = ['::ffff:', '64:ff9b::'];

/** Turns names into addresses, and refuses what lies in a denied block. */
export class AddressGuard {
  readonly #denied = new BlockList();
  readonly #resolve: Resolve;

  /** @throws CidrError when a block is none */
  constructor(deniedBlocks: readonly string[], resolve: Resolve = (hostname) => lookup(hostname, { all: true })) {
    this.#resolve = resolve;
    for (const block of canonicalBlocks(deniedBlocks)) this.#deny(block);
  }

  /**
   * The addresses to connect to, and no others: whoever looked the name up again could get other answers.
   * @throws FetchError `denied` when one of them is denied, `network` when the name has none
   */
  async addressesOf(hostname: string): Promise<Address[]> {
    const literal = hostname.replace(/^\[|\]$/g, '');
    const answers = isIP(literal) ? [{ address: literal }] : await this.#lookUp(hostname);
    const denied = answers.find(({ address }) => this.#isDenied(address));
    if (denied) throw new FetchError('denied', `${hostname} leads to the denied address ${denied.address}`);
    return answers.map(({ address }) => ({ address, family: isIPv4(address) ? 4 : 6 }));
  }

  async #lookUp(hostname: string): Promise<readonly { readonly address: string }[]> {
    const answers = await this.#resolve(hostname).catch((cause: unknown) => {
      throw new FetchError('network', `no address of ${hostname} could be found`, { cause });
    });
    if (answers.length === 0) throw new FetchError('network', `${hostname} has no address`);
    return answers;
  }

  #deny(block: string): void {
    const [address = '', mask] = block.split('/');
    if (!isIPv4(address)) {
      this.#denied.addSubnet(address, Number(mask ?? 128), 'ipv6');
      return;
    }
    const bits = Number(mask ?? 32);
    this.#denied.addSubnet(address, bits, 'ipv4');
    for (const prefix of IPV4_IN_IPV6) this.#denied.addSubnet(prefix + address, 96 + bits, 'ipv6');
  }

  /** What is no address is denied too. */
  #isDenied(address: string): boolean {
    const version = isIP(address);
    return version === 0 || this.#denied.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}
