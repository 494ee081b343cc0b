/** News about a workspace as a whole, for its notifications. Times are milliseconds since 1970. */
export interface WorkspaceNews {
  readonly trigger: 'workspace:auto_destroy_reminder' | 'workspace:auto_destroy_run_results';
  /** One sentence for a person. */
  readonly text: string;
  /** Time of the next destroy run; null if none is scheduled. */
  readonly destroyAt: number | null;
  /** Destroy run; null if there is none. */
  readonly runId: string | null;
  /** Status of that run; null if there is none. */
  readonly runStatus: string | null;
}
