import { sql, type Transaction } from '../../../storage/index.ts';

const upsertOfRun = sql<{ runId: string; packages: string }>(
  `INSERT INTO run_packages (run_id, packages) VALUES (:runId, :packages)
   ON CONFLICT (run_id) DO UPDATE SET packages = excluded.packages`,
);
const selectOfRun = sql<{ runId: string }, { packages: string }>(
  'SELECT packages FROM run_packages WHERE run_id = :runId',
);
const upsertOfWorkspace = sql<WorkspacePackages & Record<string, string | number | null>>(
  `INSERT INTO workspace_packages (workspace_id, packages, recorded_at, applied_at)
   VALUES (:workspaceId, :packages, :recordedAt, :appliedAt)
   ON CONFLICT (workspace_id) DO UPDATE SET packages = excluded.packages, recorded_at = excluded.recorded_at,
     applied_at = COALESCE(excluded.applied_at, workspace_packages.applied_at)`,
);

/** Packages of the last run that was applied or found nothing to change. */
interface WorkspacePackages {
  readonly workspaceId: string;
  /** JSON of `Packages`; null if unknown. */
  readonly packages: string | null;
  readonly recordedAt: number;
  /** Time of the apply; null keeps the earlier one. */
  readonly appliedAt: number | null;
}

export function putRunPackages(tx: Transaction, runId: string, packages: string) {
  return tx.run(upsertOfRun, { runId, packages });
}

/** Returns the packages of a run as JSON; undefined if its agent reported none. */
export async function readRunPackages(tx: Transaction, runId: string): Promise<string | undefined> {
  return (await tx.one(selectOfRun, { runId }))?.packages;
}

export function putWorkspacePackages(tx: Transaction, packages: WorkspacePackages) {
  return tx.run(upsertOfWorkspace, { ...packages });
}
