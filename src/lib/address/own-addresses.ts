import { networkInterfaces } from 'node:os';

/** Returns the IP addresses of this machine without their zones, loopback addresses included. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return [...new Set(['127.0.0.1', '::1', ...all.map(({ address }) => address.split('%')[0] ?? address)])];
}
