/** Addresses that are not connected to, and what they are. */
export interface DeniedBlock {
  /** An address or a CIDR block. */
  readonly block: string;
  readonly what: string;
}

/**
 * Denied unless the operator names other blocks: this machine, its links, and what leads nowhere. Private networks are
 * allowed: responders of private authorities live there.
 */
export const DENIED_BLOCKS: readonly DeniedBlock[] = [
  { block: '0.0.0.0/8', what: 'this machine, unspecified' },
  { block: '127.0.0.0/8', what: 'this machine' },
  { block: '169.254.0.0/16', what: 'links of this machine' },
  { block: '224.0.0.0/4', what: 'multicast' },
  { block: '240.0.0.0/4', what: 'reserved, broadcast' },
  { block: '::/96', what: 'this machine, unspecified, and the abandoned form of IPv4 addresses' },
  { block: 'fe80::/10', what: 'links of this machine' },
  { block: 'ff00::/8', what: 'multicast' },
];

/**
 * What users may not name either: networks of whoever runs the server. With DENIED_BLOCKS these are what is not to be found on
 * the internet (IANA's registries of special-purpose addresses).
 */
export const PRIVATE_BLOCKS: readonly DeniedBlock[] = [
  { block: '10.0.0.0/8', what: 'private networks' },
  { block: '100.64.0.0/10', what: 'networks of carriers, and private ones' },
  { block: '172.16.0.0/12', what: 'private networks' },
  { block: '192.0.0.0/24', what: 'protocols' },
  { block: '192.0.2.0/24', what: 'documentation' },
  { block: '192.168.0.0/16', what: 'private networks' },
  { block: '198.18.0.0/15', what: 'measurements, and private networks' },
  { block: '198.51.100.0/24', what: 'documentation' },
  { block: '203.0.113.0/24', what: 'documentation' },
  { block: '64:ff9b:1::/48', what: 'translation within a network' },
  { block: '100::/64', what: 'nothing' },
  { block: '2001::/23', what: 'protocols, tunnels' },
  { block: '2001:db8::/32', what: 'documentation' },
  { block: '2002::/16', what: 'tunnels to IPv4 addresses' },
  { block: '3fff::/20', what: 'documentation' },
  { block: '5f00::/16', what: 'routes within a network' },
  { block: 'fc00::/7', what: 'private networks' },
  { block: 'fec0::/10', what: 'private networks, as they once were' },
];

/** The services of clouds that hand out credentials to whoever asks from inside. Denied unless each is named by itself. */
export const METADATA_ADDRESSES: readonly DeniedBlock[] = [
  { block: '169.254.169.254', what: 'metadata of most clouds' },
  { block: '169.254.170.2', what: 'credentials of Amazon ECS' },
  { block: '169.254.170.23', what: 'credentials of Amazon EKS' },
  { block: '169.254.0.23', what: 'metadata of Tencent Cloud' },
  { block: '100.100.100.200', what: 'metadata of Alibaba Cloud' },
  { block: '168.63.129.16', what: 'platform services of Azure' },
  { block: '192.0.0.192', what: 'metadata of Oracle Cloud' },
  { block: 'fd00:ec2::254', what: 'metadata of Amazon EC2' },
  { block: 'fd00:ec2::23', what: 'credentials of Amazon EKS' },
  { block: 'fd20:ce::254', what: 'metadata of Google Cloud' },
];
