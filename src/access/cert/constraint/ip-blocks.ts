import { Buffer } from 'node:buffer';
import { isIPv4 } from 'node:net';

/**
 * Blocks of IP addresses, found by lookup: the cost of a check depends on the number of different masks. An IPv4
 * address is in no IPv6 block, and an IPv4-mapped IPv6 address in no IPv4 block, as in name constraints: they are
 * different names.
 */
export class IpBlocks {
  /** Masked addresses by length of the address and of the mask. */
  readonly #blocks = new Map<number, Map<number, Set<string>>>();

  /** @param blocks in canonical form (`canonicalBlocks`) */
  constructor(blocks: readonly string[]) {
    for (const block of blocks) {
      const [address = '', mask] = block.split('/');
      const bytes = bytesOf(address);
      const bits = mask === undefined ? bytes.length * 8 : Number(mask);
      const masks = this.#blocks.get(bytes.length) ?? new Map<number, Set<string>>();
      masks.set(bits, (masks.get(bits) ?? new Set()).add(masked(bytes, bits)));
      this.#blocks.set(bytes.length, masks);
    }
  }

  /** @param address 4 or 16 bytes */
  has(address: Buffer): boolean {
    for (const [bits, blocks] of this.#blocks.get(address.length) ?? []) {
      if (blocks.has(masked(address, bits))) return true;
    }
    return false;
  }
}

function masked(address: Buffer, bits: number): string {
  const bytes = Buffer.from(address.subarray(0, Math.ceil(bits / 8)));
  const rest = bits % 8;
  if (rest > 0) bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) & (0xff << (8 - rest)), bytes.length - 1);
  return bytes.toString('latin1');
}

/** Converts an IP address that `isIP` accepts. */
function bytesOf(text: string): Buffer {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number));
  const dotted = text.slice(text.lastIndexOf(':') + 1);
  const words = isIPv4(dotted)
    ? text.slice(0, -dotted.length) + bytesOf(dotted).toString('hex').replace(/^..../, '$&:')
    : text;
  const [head = '', tail] = words.split('::');
  const wordsOf = (part: string) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)));
  const [left, right] = [wordsOf(head), wordsOf(tail ?? '')];
  const zeros = tail === undefined ? [] : Array<number>(8 - left.length - right.length).fill(0);
  return Buffer.from([...left, ...zeros, ...right].flatMap((word) => [word >> 8, word & 0xff]));
}
