/** Network access of a run. */
export interface NetworkSettings {
  /** IP addresses and CIDR blocks that a run cannot reach, in addition to those that no run can. */
  readonly denied: readonly string[];
  /** Whether a run can reach its server if the server runs on this machine. */
  readonly reachServer: boolean;
}

/** A network namespace for each run, with user-mode networking: the programs that create it, and its settings. */
export interface NetworkPlan extends NetworkSettings {
  readonly unshare: string;
  readonly pasta: string;
  readonly nft: string;
}
