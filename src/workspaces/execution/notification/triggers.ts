import { type AssessmentResult, allChecksSucceeded } from '../lifecycle/assessment.ts';
import { READY, type RunStatus } from '../lifecycle/status.ts';
import { afterPlan } from '../run/rules.ts';
import type { Run } from '../run/run.ts';
import type { AssessmentTrigger, RunTrigger } from './notification.ts';

/** What each status is told as. A run that is discarded ends by the decision of a person, which is neither. */
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

/**
 * What the status that a run came to is told as; undefined when nothing is told of it. Of plans alone nobody is told.
 * @param stagesFollow whether the plan is still to be judged, so that nobody has to decide yet
 */
export function triggerOf(run: Run, stagesFollow: boolean): RunTrigger | undefined {
  if (run.parameters['plan-only']) return undefined;
  if (!(READY as readonly RunStatus[]).includes(run.status)) return TOLD[run.status];
  return stagesFollow || afterPlan(run) !== undefined ? undefined : 'run:needs_attention';
}

/** What the end of an assessment is told as: nothing, where all is as it should be. It is told each time that it is so. */
export function triggersOfAssessment(result: AssessmentResult): AssessmentTrigger[] {
  if (!result.succeeded) return ['assessment:failed'];
  return [
    ...(result.drifted ? (['assessment:drifted'] as const) : []),
    ...(allChecksSucceeded(result) ? [] : (['assessment:check_failure'] as const)),
  ];
}
