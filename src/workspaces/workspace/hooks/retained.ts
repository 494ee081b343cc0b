/** Kinds of data that grow over time in a workspace. */
export type RetainedKind = 'state-versions' | 'configuration-versions' | 'runs';

/** The data of one kind that a retention policy may delete, and how much of it at a time. */
export interface Older {
  /** Time in milliseconds since 1970. Data created before this time may be deleted. */
  readonly before: number;
  /** Number of newest items to keep regardless of age. */
  readonly keepLatest: number;
  /** Maximum number of items that one call deletes. */
  readonly limit: number;
}

/**
 * Store of a kind of data that grows over time. It never deletes data that is current or in use, regardless of age:
 * the workspace's current state and configuration, and runs that are not finished.
 */
export interface RetainedStore {
  readonly kind: RetainedKind;
  /**
   * Deletes older items in a transaction of its own. Returns how many: fewer than `limit` when no older ones are left.
   */
  deleteOlder(workspaceId: string, older: Older): Promise<number>;
}
