/** Network access of a run. */
export interface NetworkSettings {
  /** Addresses and CIDR blocks that it does not reach, beside those that no run does. */
  readonly denied: readonly string[];
  /** Whether it reaches its server where that is on this machine. */
  readonly reachServer: boolean;
}

/** A network of a run's own, behind user-mode networking: the programs that make it, and what it leads to. */
export interface NetworkPlan extends NetworkSettings {
  readonly unshare: string;
  readonly pasta: string;
  readonly nft: string;
}
