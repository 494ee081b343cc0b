import { BlockList, isIP } from 'node:net';

export class CidrError extends Error {
  override readonly name = 'CidrError';
}

/**
 * Maximum length of a list.
 * @limit CIDR blocks in one list, blocks -> 400
 */
export const MAX_BLOCKS = 1000;

interface Block {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

function parseBlock(text: string): Block {
  const [address = '', mask, ...rest] = text.split('/');
  const version = isIP(address);
  const widest = version === 4 ? 32 : 128;
  const bits = mask === undefined ? widest : /^\d{1,3}$/.test(mask) ? Number(mask) : Number.NaN;
  if (version === 0 || rest.length > 0 || !(bits >= 0 && bits <= widest)) {
    throw new CidrError(`error parsing address "${text.slice(0, 100)}": not an IP address or CIDR block`);
  }
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/**
 * Returns the blocks in canonical form: a single host has no mask.
 * @throws CidrError
 */
export function canonicalBlocks(texts: readonly string[]): string[] {
  if (texts.length > MAX_BLOCKS) throw new CidrError(`at most ${MAX_BLOCKS} address blocks are allowed`);
  return texts.map((text) => {
    const { address, bits, family } = parseBlock(text);
    return bits === (family === 'ipv4' ? 32 : 128) ? address : `${address}/${bits}`;
  });
}

/** Returns an IPv4 address in its plain form, also if the socket reports it as an IPv4-mapped IPv6 address. */
const plain = (address: string): string =>
  address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;

/**
 * Returns the block that holds a single IP address.
 * @throws CidrError if the text is not an IP address
 */
export function blockOf(address: string): string {
  return canonicalBlocks([plain(address)]).join();
}

/**
 * Returns true if the list is empty (no limit) or one of the blocks holds the address. An invalid address is in no
 * block.
 */
export function withinBlocks(address: string, texts: readonly string[]): boolean {
  if (texts.length === 0) return true;
  const own = plain(address);
  const version = isIP(own);
  if (version === 0) return false;
  const list = new BlockList();
  for (const text of texts) {
    const block = parseBlock(text);
    list.addSubnet(block.address, block.bits, block.family);
  }
  return list.check(own, version === 4 ? 'ipv4' : 'ipv6');
}
