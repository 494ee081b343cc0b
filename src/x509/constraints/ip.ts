import type { Form } from './form.ts';

interface Network {
  readonly address: Uint8Array;
  readonly mask: Uint8Array;
}

export const ipForm: Form<Uint8Array, Network> = {
  type: 'ip',
  name: (name) => (name.type === 'ip' ? name.value : undefined),
  base: (base) => (base.type === 'ip' ? network(base.value) : undefined),
  isWithin,
};

function network(bytes: Uint8Array): Network | undefined {
  const address = bytes.subarray(0, bytes.length / 2);
  const mask = bytes.subarray(bytes.length / 2);
  return isPrefix(mask) ? { address, mask } : undefined;
}

/** Returns whether the mask is a CIDR prefix: ones, followed by zeros. */
function isPrefix(mask: Uint8Array): boolean {
  const bits = Array.from(mask, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return !bits.includes('01');
}

/** An IPv4 address is in no IPv6 network, and vice versa. */
function isWithin(name: Uint8Array, { address, mask }: Network): boolean {
  if (name.length !== address.length) return false;
  return name.every((byte, i) => ((byte ^ (address[i] ?? 0)) & (mask[i] ?? 0xff)) === 0);
}
