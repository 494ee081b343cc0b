/** One state version of a source. */
export interface SourceState {
  /** Undefined if the state does not say it. */
  readonly serial: number | undefined;
  /** Undefined if it is unknown before the download. */
  readonly size: number | undefined;
  readonly md5?: string | undefined;
  /** Undefined if it is unknown before the download. */
  readonly lineage?: string | undefined;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** State versions of a workspace that are taken. */
export type StateChoice = 'newest' | 'all' | 'none';

/** States of workspaces, wherever they are stored. */
export interface StateSource {
  /** Returns the states of a workspace, oldest first; the last one is the current one. */
  statesOf(workspace: string): Promise<readonly SourceState[]>;
}
