import { type AssessmentResult, allChecksSucceeded } from '../lifecycle/assessment.ts';
import { READY, RUN_STATUSES, type RunStatus } from '../lifecycle/status.ts';
import { afterPlan } from '../run/rules.ts';
import type { Run } from '../run/run.ts';
import type { AssessmentTrigger, RunTrigger } from './notification.ts';

/** Trigger of each run status. A discarded run has none, because a user decided it. */
const TOLD: Partial<Readonly<Record<RunStatus, RunTrigger>>> = {
  pending: 'run:created',
  planning: 'run:planning',
  pre_plan_awaiting_decision: 'run:needs_attention',
  post_plan_awaiting_decision: 'run:needs_attention',
  policy_override: 'run:needs_attention',
  policy_soft_failed: 'run:needs_attention',
  tf_policy_override: 'run:needs_attention',
  planned_and_saved: 'run:needs_attention',
  applying: 'run:applying',
  applied: 'run:completed',
  planned_and_finished: 'run:completed',
  errored: 'run:errored',
  canceled: 'run:errored',
  force_canceled: 'run:errored',
};

/** Statuses in which a run waits for a user. */
export const WAITING_STATUSES: readonly RunStatus[] = RUN_STATUSES.filter(
  (status) => TOLD[status] === 'run:needs_attention' || (READY as readonly RunStatus[]).includes(status),
);

/** Statuses that may have a trigger. */
export const NOTIFIED_STATUSES: readonly RunStatus[] = RUN_STATUSES.filter(
  (status) => status in TOLD || (READY as readonly RunStatus[]).includes(status),
);

/**
 * Returns the trigger of a new run status. Returns undefined for none. Plan-only runs have no triggers.
 * @param stagesFollow whether run tasks still evaluate the plan, so that no decision is due yet
 */
export function triggerOf(run: Run, stagesFollow: boolean): RunTrigger | undefined {
  if (run.parameters['plan-only']) return undefined;
  if (!(READY as readonly RunStatus[]).includes(run.status)) return TOLD[run.status];
  return stagesFollow || afterPlan(run) !== undefined ? undefined : 'run:needs_attention';
}

/**
 * Returns the trigger of a finished assessment. Returns undefined without drift or failures. Fires at every assessment
 * with a finding.
 */
export function triggersOfAssessment(result: AssessmentResult): AssessmentTrigger[] {
  if (!result.succeeded) return ['assessment:failed'];
  return [
    ...(result.drifted ? (['assessment:drifted'] as const) : []),
    ...(allChecksSucceeded(result) ? [] : (['assessment:check_failure'] as const)),
  ];
}
