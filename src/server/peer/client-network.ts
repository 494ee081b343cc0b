/**
 * Returns the network that an IP address counts for. An IPv6 client has 2^64 addresses, so only the first four groups
 * count.
 */
export function network(address: string): string {
  if (!address.includes(':')) return address;
  const plain = plainAddress(address);
  if (plain !== address) return plain;
  const [gate = '', back] = address.split('::');
  const groups = gate.split(':');
  const missing = back === undefined ? 0 : 8 - groups.length - back.split(':').length;
  return [...groups, ...Array<string>(Math.max(missing, 0)).fill('0')].slice(0, 4).join(':');
}

/** A dual-stack socket reports IPv4 clients as IPv4-mapped IPv6 addresses. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/** Adds to the counter of a client. Counters at 0 are removed. */
export function adjustCount(counts: Map<string, number>, key: string, by: 1 | -1): number {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
  return count;
}
