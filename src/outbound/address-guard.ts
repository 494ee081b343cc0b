import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { DENIED_BLOCKS, METADATA_ADDRESSES } from '../lib/address/denied-addresses.ts';
import { canonicalBlocks } from '../lib/cidr.ts';
import { canonicalHost } from '../lib/host-name.ts';
import { FetchError } from '../lib/http/fetch-error.ts';
import type { Address } from '../lib/http/http-request.ts';

/** Returns every IP address of a name; rejects if there is none. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string }[]>;

export interface AddressRules {
  /** CIDR blocks that are denied, instead of `DENIED_BLOCKS`. With `[]` only metadata services are denied. */
  readonly deniedBlocks?: readonly string[] | undefined;
  /** Host names, IP addresses and CIDR blocks that are allowed although they are denied. */
  readonly allowed?: readonly string[] | undefined;
  /** Whether only the allowed entries may be reached, over `https` too. */
  readonly onlyAllowed?: boolean | undefined;
  /** `allowed`: plain `http` may reach only the allowed entries. By default it may reach whatever `https` may. */
  readonly plainHttp?: 'allowed' | undefined;
  /** Resolver of names; by default that of the system. */
  readonly resolve?: Resolve | undefined;
}

/** The two kinds of entries in a list of allowed addresses. */
interface AllowedAddresses {
  readonly hosts: readonly string[];
  readonly blocks: readonly string[];
}

/** @throws CidrError with the entry that is neither a host name nor an IP address or CIDR block */
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
 * Resolves names, and refuses addresses in denied blocks (protection against SSRF). Allowed entries take precedence: a
 * block for every name that resolves into it, a host only for its own name. Metadata services are denied unless their
 * exact address is allowed.
 */
export class AddressGuard {
  readonly #denied: AddressSet;
  readonly #metadata = new AddressSet(METADATA_ADDRESSES.map(({ block }) => block));
  readonly #allowed: AddressSet;
  /** Addresses that are allowed one by one. */
  readonly #named: AddressSet;
  readonly #hosts: ReadonlySet<string>;
  readonly #resolve: Resolve;

  /** @throws CidrError if a block is invalid */
  constructor({ deniedBlocks, allowed = [], resolve }: AddressRules = {}) {
    const { hosts, blocks } = parseAllowed(allowed);
    this.#denied = new AddressSet(deniedBlocks ?? DENIED_BLOCKS.map(({ block }) => block));
    this.#allowed = new AddressSet(blocks);
    this.#named = new AddressSet(blocks.filter((block) => !block.includes('/')));
    this.#hosts = new Set(hosts);
    this.#resolve = resolve ?? ((hostname) => lookup(hostname, { all: true }));
  }

  /**
   * Returns the addresses to connect to. The caller must not resolve the name again, because a second response may
   * differ (DNS rebinding).
   * @param allowedAlone whether only allowed entries may be reached
   * @throws FetchError `denied` if one of the addresses is denied, `network` if the name has none
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
      throw new FetchError('network', `${hostname} cannot be resolved`, { cause });
    });
    if (answers.length === 0) throw new FetchError('network', `${hostname} has no address`);
    return answers;
  }

  /** Denies invalid addresses too. */
  #isDenied(address: string, isAllowedHost: boolean, allowedAlone: boolean): boolean {
    if (isIP(address) === 0) return true;
    if (this.#named.allows(address)) return false;
    if (this.#metadata.touches(address)) return true;
    if (isAllowedHost || this.#allowed.allows(address)) return false;
    return allowedAlone || this.#denied.touches(address);
  }
}

/**
 * Prefixes of IPv6 addresses that embed an IPv4 address in their last 32 bits: IPv4-mapped, and NAT64 (RFC 6052 §2.1).
 */
const IPV4_IN_IPV6 = ['::ffff:', '64:ff9b::'];

/** IPv4 blocks, which match every spelling of their addresses, and IPv6 blocks. */
class AddressSet {
  readonly #v4 = new BlockList();
  readonly #v6 = new BlockList();

  /** @throws CidrError if a block is invalid */
  constructor(blocks: readonly string[]) {
    for (const block of canonicalBlocks(blocks)) {
      const [address = '', mask] = block.split('/');
      if (isIPv4(address)) addV4(this.#v4, address, Number(mask ?? 32));
      else this.#v6.addSubnet(address, Number(mask ?? 128), 'ipv6');
    }
  }

  /** Returns whether any block holds the address. */
  touches(address: string): boolean {
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    return this.#v4.check(address, family) || this.#v6.check(address, family);
  }

  /** Like `touches`, but an IPv4 address in IPv6 form matches only IPv4 blocks: `::/0` does not hold it. */
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
