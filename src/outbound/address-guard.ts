import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { DENIED_BLOCKS, METADATA_ADDRESSES } from '../lib/address/denied-addresses.ts';
import { canonicalBlocks } from '../lib/cidr.ts';
import { canonicalHost } from '../lib/host-name.ts';
import { FetchError } from './fetch-error.ts';

/** An address that a connection may be made to. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a name; rejects when there is none. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string }[]>;

export interface AddressRules {
  /** CIDR blocks that are never connected to, in place of `DENIED_BLOCKS`. `[]`: none but those of metadata services. */
  readonly deniedBlocks?: readonly string[] | undefined;
  /** Host names, addresses and CIDR blocks that are connected to although they are denied. */
  readonly allowed?: readonly string[] | undefined;
  /** Whether `http` leads to what is allowed by name alone, and to nothing else. Default: it leads where `https` does. */
  readonly plainHttp?: 'allowed' | undefined;
  /** Default: the system's. */
  readonly resolve?: Resolve | undefined;
}

/** The two sorts of entries in a list of what is allowed. */
interface AllowedAddresses {
  readonly hosts: readonly string[];
  readonly blocks: readonly string[];
}

/** @throws CidrError that names the entry which is neither a host name nor an address or CIDR block */
function parseAllowed(texts: readonly string[]): AllowedAddresses {
  const hosts: string[] = [];
  const blocks: string[] = [];
  for (const text of texts) {
    const host = canonicalHost(text);
    if (host !== undefined) hosts.push(host);
    else blocks.push(...canonicalBlocks([text]));
  }
  return { hosts, blocks };
}

/**
 * Turns names into addresses, and refuses what lies in a denied block. What is allowed goes before: a block for every name
 * that leads into it, a host for its own name alone. Metadata services are denied unless their very address is allowed.
 */
export class AddressGuard {
  readonly #denied: AddressSet;
  readonly #metadata = new AddressSet(METADATA_ADDRESSES.map(({ block }) => block));
  readonly #allowed: AddressSet;
  /** Allowed one by one. */
  readonly #named: AddressSet;
  readonly #hosts: ReadonlySet<string>;
  readonly #resolve: Resolve;

  /** @throws CidrError when a block is none */
  constructor({ deniedBlocks, allowed = [], resolve }: AddressRules = {}) {
    const { hosts, blocks } = parseAllowed(allowed);
    this.#denied = new AddressSet(deniedBlocks ?? DENIED_BLOCKS.map(({ block }) => block));
    this.#allowed = new AddressSet(blocks);
    this.#named = new AddressSet(blocks.filter((block) => !block.includes('/')));
    this.#hosts = new Set(hosts);
    this.#resolve = resolve ?? ((hostname) => lookup(hostname, { all: true }));
  }

  /**
   * The addresses to connect to, and no others: whoever looked the name up again could get other answers.
   * @param allowedAlone whether what nobody has allowed is denied, too
   * @throws FetchError `denied` when one of them is denied, `network` when the name has none
   */
  async addressesOf(hostname: string, allowedAlone = false): Promise<Address[]> {
    const literal = hostname.replace(/^\[|\]$/g, '');
    const isAllowedHost = this.#hosts.has(canonicalHost(hostname) ?? '');
    const answers = isIP(literal) ? [{ address: literal }] : await this.#lookUp(hostname);
    const denied = answers.find(({ address }) => this.#isDenied(address, isAllowedHost, allowedAlone));
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

  /** What is no address is denied too. */
  #isDenied(address: string, isAllowedHost: boolean, allowedAlone: boolean): boolean {
    if (isIP(address) === 0) return true;
    if (this.#named.allows(address)) return false;
    if (this.#metadata.touches(address)) return true;
    if (isAllowedHost || this.#allowed.allows(address)) return false;
    return allowedAlone || this.#denied.touches(address);
  }
}

/** Prefixes of IPv6 addresses that lead to the IPv4 address in their last 32 bits: IPv4-mapped, and NAT64 (RFC 6052 §2.1). */
const IPV4_IN_IPV6 = ['::ffff:', '64:ff9b::'];

/** Blocks of IPv4 in every form in which their addresses can be written, and blocks of IPv6. */
class AddressSet {
  readonly #v4 = new BlockList();
  readonly #v6 = new BlockList();

  /** @throws CidrError when a block is none */
  constructor(blocks: readonly string[]) {
    for (const block of canonicalBlocks(blocks)) {
      const [address = '', mask] = block.split('/');
      if (isIPv4(address)) addV4(this.#v4, address, Number(mask ?? 32));
      else this.#v6.addSubnet(address, Number(mask ?? 128), 'ipv6');
    }
  }

  /** Whether any block holds the address. */
  touches(address: string): boolean {
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    return this.#v4.check(address, family) || this.#v6.check(address, family);
  }

  /** As `touches`, but an IPv4 address in the form of IPv6 is in blocks of IPv4 alone: `::/0` does not hold it. */
  allows(address: string): boolean {
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    return (ALL_V4.check(address, family) ? this.#v4 : this.#v6).check(address, family);
  }
}

function addV4(list: BlockList, address: string, bits: number): void {
  list.addSubnet(address, bits, 'ipv4');
  for (const prefix of IPV4_IN_IPV6) list.addSubnet(prefix + address, 96 + bits, 'ipv6');
}

const ALL_V4 = new BlockList();
addV4(ALL_V4, '0.0.0.0', 0);
