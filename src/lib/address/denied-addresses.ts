/** IP addresses that the server does not connect to, and their purpose. */
export interface DeniedBlock {
  /** An IP address or a CIDR block. */
  readonly block: string;
  readonly what: string;
}

/**
 * Blocks that are denied unless the operator configures other ones: this machine, link-local and unroutable addresses.
 * Private networks are allowed, because OCSP responders and CRLs of private CAs are there.
 */
export const DENIED_BLOCKS: readonly DeniedBlock[] = [
  { block: '0.0.0.0/8', what: 'unspecified (this machine)' },
  { block: '127.0.0.0/8', what: 'loopback (this machine)' },
  { block: '169.254.0.0/16', what: 'link-local' },
  { block: '224.0.0.0/4', what: 'multicast' },
  { block: '240.0.0.0/4', what: 'reserved, broadcast' },
  { block: '::/96', what: 'unspecified (this machine), and deprecated IPv4-compatible addresses' },
  { block: 'fe80::/10', what: 'link-local' },
  { block: 'ff00::/8', what: 'multicast' },
];

/**
 * Private networks of the operator, which users may not use as destinations either. Together with DENIED_BLOCKS they
 * are all addresses outside of the public internet (IANA special-purpose address registries).
 */
export const PRIVATE_BLOCKS: readonly DeniedBlock[] = [
  { block: '10.0.0.0/8', what: 'private network' },
  { block: '100.64.0.0/10', what: 'carrier-grade NAT and private networks' },
  { block: '172.16.0.0/12', what: 'private network' },
  { block: '192.0.0.0/24', what: 'protocols' },
  { block: '192.0.2.0/24', what: 'documentation' },
  { block: '192.168.0.0/16', what: 'private network' },
  { block: '198.18.0.0/15', what: 'benchmarking and private networks' },
  { block: '198.51.100.0/24', what: 'documentation' },
  { block: '203.0.113.0/24', what: 'documentation' },
  { block: '64:ff9b:1::/48', what: 'local-use IPv4/IPv6 translation' },
  { block: '100::/64', what: 'nothing' },
  { block: '2001::/23', what: 'protocol assignments, tunnels' },
  { block: '2001:db8::/32', what: 'documentation' },
  { block: '2002::/16', what: '6to4 tunnels' },
  { block: '3fff::/20', what: 'documentation' },
  { block: '5f00::/16', what: 'segment routing' },
  { block: 'fc00::/7', what: 'unique local addresses (private network)' },
  { block: 'fec0::/10', what: 'site-local addresses (deprecated private network)' },
];

/**
 * Metadata services of clouds, which give credentials to any process on the machine. Each is denied unless the operator
 * allows this single address.
 */
export const METADATA_ADDRESSES: readonly DeniedBlock[] = [
  { block: '169.254.169.254', what: 'instance metadata of most clouds' },
  { block: '169.254.170.2', what: 'Amazon ECS credentials' },
  { block: '169.254.170.23', what: 'Amazon EKS credentials' },
  { block: '169.254.0.23', what: 'Tencent Cloud metadata' },
  { block: '100.100.100.200', what: 'Alibaba Cloud metadata' },
  { block: '168.63.129.16', what: 'Azure platform services' },
  { block: '192.0.0.192', what: 'Oracle Cloud metadata' },
  { block: 'fd00:ec2::254', what: 'Amazon EC2 metadata' },
  { block: 'fd00:ec2::23', what: 'Amazon EKS credentials' },
  { block: 'fd20:ce::254', what: 'Google Cloud metadata' },
];
