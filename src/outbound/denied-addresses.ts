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
