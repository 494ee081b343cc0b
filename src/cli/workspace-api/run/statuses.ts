/** Statuses of runs, as the server names them. */
export const STATUSES: readonly string[] = `
  pending fetching fetching_completed pre_plan_running pre_plan_awaiting_decision
  pre_plan_completed queuing plan_queued planning planned
  cost_estimating cost_estimated policy_checking policy_override policy_soft_failed
  policy_checked tf_policy_override tf_policy_checked post_plan_running post_plan_awaiting_decision
  post_plan_completed planned_and_saved confirmed pre_apply_running pre_apply_completed
  queuing_apply apply_queued applying post_apply_running post_apply_completed
  assessing assessed applied planned_and_finished discarded
  errored canceled force_canceled
`
  .trim()
  .split(/\s+/);
