import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { claimWorkspace } from './store.ts';
import type { AutoDestroyOutcome, Performance } from './workspace.ts';

/**
 * Columns of a workspace that runs and states update in their own transactions. Documents show them, and lists filter
 * and sort by them without a join. None of them changes `updated-at`.
 */

const updateRun = sql<{ id: string; runId: string | null; status: string | null; createdAt: number | null }>(
  `UPDATE workspace SET current_run_id = :runId, current_run_status = :status, current_run_created_at = :createdAt,
     version = version + 1
   WHERE id = :id`,
);
const updateRunStatus = sql<{ id: string; runId: string; status: string }>(
  `UPDATE workspace SET current_run_status = :status, version = version + 1
   WHERE id = :id AND current_run_id = :runId`,
);
const updateConfigurationVersion = sql<{ id: string; configurationVersionId: string | null }>(
  `UPDATE workspace SET current_configuration_version_id = :configurationVersionId, version = version + 1
   WHERE id = :id`,
);
const updateState = sql<{ id: string; stateVersionId: string | null; resourceCount: number; changedAt: number }>(
  `UPDATE workspace SET current_state_version_id = :stateVersionId, resource_count = :resourceCount,
     latest_change_at = :changedAt, version = version + 1
   WHERE id = :id`,
);
const updateResourceCount = sql<{ id: string; stateVersionId: string; resourceCount: number }>(
  `UPDATE workspace SET resource_count = :resourceCount, version = version + 1
   WHERE id = :id AND current_state_version_id = :stateVersionId`,
);
const updatePerformance = sql<{ id: string; performance: string }>(
  'UPDATE workspace SET performance = :performance, version = version + 1 WHERE id = :id',
);

const updateAssessment = sql<{ id: string; resultId: string; at: number }>(
  'UPDATE workspace SET assessment_result_id = :resultId, assessed_at = :at, version = version + 1 WHERE id = :id',
);

const updateAutoDestroy = sql<{ id: string; outcome: string | null }>(
  'UPDATE workspace SET auto_destroy = :outcome, version = version + 1 WHERE id = :id',
);
const updateWork = sql<{ id: string; at: number }>(
  'UPDATE workspace SET worked_at = :at, version = version + 1 WHERE id = :id',
);

const updateSettings = sql<{ id: string; settings: string }>(
  'UPDATE workspace SET settings = :settings WHERE id = :id',
);

/** The newest run, if there is one. */
export function setCurrentRun(
  db: Queries,
  id: string,
  run: { readonly id: string; readonly status: string; readonly createdAt: number } | null,
) {
  const { id: runId = null, status = null, createdAt = null } = run ?? {};
  return db.run(updateRun, { id, runId, status, createdAt });
}

/** Updates the status of the current run. Does nothing if another run is current by now. */
export function setRunStatus(db: Queries, id: string, runId: string, status: string) {
  return db.run(updateRunStatus, { id, runId, status });
}

export function setCurrentConfigurationVersion(db: Queries, id: string, configurationVersionId: string | null) {
  return db.run(updateConfigurationVersion, { id, configurationVersionId });
}

/** Current state version, number of resources that it manages, and time of creation. */
export function setCurrentState(
  db: Queries,
  id: string,
  state: { readonly stateVersionId: string | null; readonly resourceCount: number; readonly changedAt: number },
) {
  return db.run(updateState, { id, ...state });
}

/**
 * Updates the columns for a state version that is parsed after it has become current. Does nothing if another one is
 * current by now.
 */
export function setResourceCount(db: Queries, id: string, stateVersionId: string, resourceCount: number) {
  return db.run(updateResourceCount, { id, stateVersionId, resourceCount });
}

export function setPerformance(db: Queries, id: string, performance: Performance) {
  return db.run(updatePerformance, { id, performance: JSON.stringify(performance) });
}

/** Result and time of the newest health assessment. */
export function setAssessment(db: Queries, id: string, resultId: string, at: number) {
  return db.run(updateAssessment, { id, resultId, at });
}

/** Outcome of a destroy run that was due. Null: the settings say everything. */
export function setAutoDestroy(db: Queries, id: string, outcome: AutoDestroyOutcome | null) {
  return db.run(updateAutoDestroy, { id, outcome: outcome === null ? null : JSON.stringify(outcome) });
}

/** Start of the newest run that could change the workspace. */
export function setWorkedAt(db: Queries, id: string, at: number) {
  return db.run(updateWork, { id, at });
}

/** Clears the time of the auto-destroy plan after a run has destroyed everything. The duration stays. */
export async function setDestroyed(tx: Transaction, id: string, at: number): Promise<void> {
  const current = await claimWorkspace(tx, id);
  if (current === undefined) return;
  const settings = { ...current.settings, 'auto-destroy-at': null, 'destroyed-at': at };
  await tx.run(updateSettings, { id, settings: JSON.stringify(settings) });
}
