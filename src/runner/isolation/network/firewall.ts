import type { ServerHere } from './addresses.ts';
import { RESOLVER } from './resolver.ts';

const TABLE = 'inet lockkeeper';
const FAMILIES = [
  { name: 'ip', set: 'denied4', type: 'ipv4_addr', isOf: (block: string) => !block.includes(':') },
  { name: 'ip6', set: 'denied6', type: 'ipv6_addr', isOf: (block: string) => block.includes(':') },
];

/**
 * Returns nftables rules for the network of a run, in one line. Routes are not enough: a program can bind its socket to
 * the interface, and then addresses without a route count as neighbors.
 * @param denied IP addresses and CIDR blocks
 */
export function firewall(denied: readonly string[], server: ServerHere | undefined): string {
  const rule = (text: string): string => `add rule ${TABLE} output ${text}`;
  const sets = FAMILIES.flatMap(({ type, isOf, set }) => {
    const elements = denied.filter(isOf);
    return [
      `add set ${TABLE} ${set} { type ${type}; flags interval; auto-merge; elements = { ${elements.join(', ')} }; }`,
    ];
  });
  const toServer = (server?.addresses ?? []).map((address) =>
    rule(`${address.includes(':') ? 'ip6' : 'ip'} daddr ${address} tcp dport ${server?.port} accept`),
  );
  return [
    `add table ${TABLE}`,
    `add chain ${TABLE} output { type filter hook output priority 0; policy accept; }`,
    ...sets,
    rule('oifname lo accept'),
    rule('icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept'),
    rule(`ip daddr ${RESOLVER} accept`),
    ...toServer,
    ...FAMILIES.map(({ name, set }) => rule(`${name} daddr @${set} reject with icmpx admin-prohibited`)),
  ].join('; ');
}
