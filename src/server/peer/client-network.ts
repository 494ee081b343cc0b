/** Whom an address counts for: an IPv6 client has 2^64 addresses of its own, so the first four groups name it. */
export function network(address: string): string {
  if (!address.includes(':')) return address;
  const plain = plainAddress(address);
  if (plain !== address) return plain;
  const [gate = '', back] = address.split('::');
  const groups = gate.split(':');
  const missing = back === undefined ? 0 : 8 - groups.length - back.split(':').length;
  return [...groups, ...Array<string>(Math.max(missing, 0)).fill('0')].slice(0, 4).join(':');
}

/** A socket that listens on both families names IPv4 clients in the IPv6 way. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/** Adds to the number that is kept for a client while it is not 0. */
export function adjustCount(counts: Map<string, number>, key: string, by: 1 | -1): number {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
  return count;
}
