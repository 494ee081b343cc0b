import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { claimWorkspace } from './store.ts';
import type { Performance } from './workspace.ts';

/**
 * What runs and states keep on the row of their workspace, in their own units of work: documents show it, and lists are
 * searched and sorted by it, without a look-up. None of it moves `updated-at`.
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

const updateSettings = sql<{ id: string; settings: string }>(
  'UPDATE workspace SET settings = :settings WHERE id = :id',
);

/** The newest run, or none. */
export function setCurrentRun(
  db: Queries,
  id: string,
  run: { readonly id: string; readonly status: string; readonly createdAt: number } | null,
) {
  const { id: runId = null, status = null, createdAt = null } = run ?? {};
  return db.run(updateRun, { id, runId, status, createdAt });
}

/** Nothing happens when another run is current by now. */
export function setRunStatus(db: Queries, id: string, runId: string, status: string) {
  return db.run(updateRunStatus, { id, runId, status });
}

export function setCurrentConfigurationVersion(db: Queries, id: string, configurationVersionId: string | null) {
  return db.run(updateConfigurationVersion, { id, configurationVersionId });
}

/** The current state version, how many resources it manages, and when it was made. */
export function setCurrentState(
  db: Queries,
  id: string,
  state: { readonly stateVersionId: string | null; readonly resourceCount: number; readonly changedAt: number },
) {
  return db.run(updateState, { id, ...state });
}

/** For a state version that is looked into after it has become current. Nothing happens when another is by now. */
export function setResourceCount(db: Queries, id: string, stateVersionId: string, resourceCount: number) {
  return db.run(updateResourceCount, { id, stateVersionId, resourceCount });
}

export function setPerformance(db: Queries, id: string, performance: Performance) {
  return db.run(updatePerformance, { id, performance: JSON.stringify(performance) });
}

/** The newest result of an assessment, and when it came. */
export function setAssessment(db: Queries, id: string, resultId: string, at: number) {
  return db.run(updateAssessment, { id, resultId, at });
}

/** A run has destroyed all there was: the plan to do so is carried out (facts §1.14). Its duration stays. */
export async function setDestroyed(tx: Transaction, id: string, at: number): Promise<void> {
  const current = await claimWorkspace(tx, id);
  if (current === undefined) return;
  const settings = { ...current.settings, 'auto-destroy-at': null, 'destroyed-at': at };
  await tx.run(updateSettings, { id, settings: JSON.stringify(settings) });
}
