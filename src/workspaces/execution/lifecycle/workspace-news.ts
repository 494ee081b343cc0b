/** An event of a workspace that notifications report, and that is not the status of a run or an assessment. */
export interface WorkspaceNews {
  readonly trigger: 'workspace:auto_destroy_reminder' | 'workspace:auto_destroy_run_results';
  /** One sentence for a person. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly destroyAt: number | null;
  readonly runId: string | null;
  readonly runStatus: string | null;
}
