/** What grows with time in a workspace. */
export type RetainedKind = 'state-versions' | 'configuration-versions' | 'runs';

/** What may go of a kind of data, and how much of it at a time. */
export interface Older {
  /** Milliseconds since 1970: what was made before it may go. */
  readonly before: number;
  /** So many of the newest stay, whatever their age. */
  readonly keepLatest: number;
  /** At most so many go in one call. */
  readonly limit: number;
}

/**
 * Where a kind of data is kept that grows with time. It never lets go of what is current or in use, whatever its age:
 * the state and the configuration that a workspace has now, runs that are not finished.
 */
export interface RetainedStore {
  readonly kind: RetainedKind;
  /** Frees what is older in a unit of work of its own. How many went: fewer than `limit` when nothing older is left. */
  deleteOlder(workspaceId: string, older: Older): Promise<number>;
}
