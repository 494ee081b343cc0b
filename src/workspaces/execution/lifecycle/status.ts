/** What a run, that is not over, may be on its way to, step by step (facts §4.7). */
const AFTER_PLAN = [
  'cost_estimating',
  'policy_checking',
  'post_plan_running',
  'planned_and_finished',
  'planned_and_saved',
] as const;

/**
 * Where each status may lead, by whoever carries the run out: the one table of it. What people do with a run is in
 * ACTIONS. A status that leads nowhere ends the run.
 */
export const NEXT = {
  pending: ['fetching', 'plan_queued'],
  fetching: ['fetching_completed', 'errored'],
  fetching_completed: ['pre_plan_running', 'queuing', 'plan_queued', 'errored'],
  pre_plan_running: ['pre_plan_awaiting_decision', 'pre_plan_completed', 'errored', 'canceled'],
  pre_plan_awaiting_decision: ['pre_plan_completed', 'errored', 'canceled'],
  pre_plan_completed: ['queuing', 'plan_queued', 'errored'],
  queuing: ['plan_queued', 'errored', 'canceled'],
  plan_queued: ['fetching', 'pre_plan_running', 'planning', 'errored', 'canceled'],
  planning: ['planned', ...AFTER_PLAN, 'errored', 'canceled'],
  planned: [...AFTER_PLAN, 'errored', 'canceled'],
  cost_estimating: ['cost_estimated', 'errored', 'canceled'],
  cost_estimated: ['policy_checking', 'post_plan_running', 'planned_and_finished', 'planned_and_saved', 'errored'],
  policy_checking: [
    'policy_checked',
    'policy_override',
    'policy_soft_failed',
    'tf_policy_checked',
    'tf_policy_override',
    'errored',
    'canceled',
  ],
  policy_override: ['policy_checked', 'errored'],
  policy_soft_failed: ['errored', 'planned_and_finished'],
  policy_checked: ['post_plan_running', 'planned_and_finished', 'planned_and_saved', 'errored'],
  tf_policy_override: ['tf_policy_checked', 'errored'],
  tf_policy_checked: ['post_plan_running', 'planned_and_finished', 'planned_and_saved', 'errored'],
  post_plan_running: ['post_plan_awaiting_decision', 'post_plan_completed', 'errored', 'canceled'],
  post_plan_awaiting_decision: ['post_plan_completed', 'errored', 'canceled'],
  post_plan_completed: ['planned_and_finished', 'planned_and_saved', 'errored'],
  planned_and_saved: [],
  confirmed: ['queuing_apply', 'apply_queued'],
  pre_apply_running: ['pre_apply_completed', 'errored', 'canceled'],
  pre_apply_completed: ['queuing_apply', 'apply_queued', 'errored'],
  queuing_apply: ['apply_queued', 'errored', 'canceled'],
  apply_queued: ['pre_apply_running', 'applying', 'errored', 'canceled'],
  applying: ['post_apply_running', 'applied', 'errored', 'canceled'],
  post_apply_running: ['post_apply_completed', 'errored', 'canceled'],
  post_apply_completed: ['applied', 'errored'],
  assessing: ['assessed', 'errored', 'canceled'],
  assessed: [],
  applied: [],
  planned_and_finished: [],
  discarded: [],
  errored: [],
  canceled: [],
  force_canceled: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** One of the words in `status`. */
export type RunStatus = keyof typeof NEXT;
/** All of them. */
export const RUN_STATUSES = Object.keys(NEXT) as RunStatus[];

const SAVED: RunStatus = 'planned_and_saved';

/** Whether a step of the table leads from one to the other. */
export function leadsTo(from: RunStatus, to: RunStatus): boolean {
  return (NEXT[from] as readonly RunStatus[]).includes(to);
}

/** Where nothing follows, whatever anybody does. A saved plan still waits for somebody. */
export const FINAL = RUN_STATUSES.filter((status) => NEXT[status].length === 0 && status !== SAVED);

/** The plan is made and judged: somebody may confirm it. */
export const READY = [
  'planned',
  'cost_estimated',
  'policy_checked',
  'tf_policy_checked',
  'post_plan_completed',
] as const satisfies readonly RunStatus[];

/** Nothing is planned yet, and no state is read. */
export const BEFORE_PLAN = [
  'pending',
  'fetching',
  'fetching_completed',
  'pre_plan_running',
  'pre_plan_awaiting_decision',
  'pre_plan_completed',
  'queuing',
  'plan_queued',
] as const satisfies readonly RunStatus[];

/** In which statuses people may do what with a run (facts §6.11). */
export const ACTIONS = {
  apply: [...READY, SAVED],
  discard: ['pending', ...READY, 'policy_override', 'policy_soft_failed', 'tf_policy_override', SAVED],
  cancel: RUN_STATUSES.filter((status) => !FINAL.includes(status) && !isReady(status) && status !== SAVED),
} as const satisfies Record<string, readonly RunStatus[]>;

/** Whether the plan is made and judged. */
export function isReady(status: RunStatus): boolean {
  return (READY as readonly RunStatus[]).includes(status);
}

/** Whether people may do that in that status. */
export function allows(action: keyof typeof ACTIONS, status: RunStatus): boolean {
  return (ACTIONS[action] as readonly RunStatus[]).includes(status);
}

/** Whether the run is over. */
export function isFinal(status: RunStatus): boolean {
  return FINAL.includes(status);
}

/** Nobody works on it yet: a cancel ends it at once. */
export function isIdle(status: RunStatus): boolean {
  return ['pending', 'queuing', 'plan_queued', 'confirmed', 'queuing_apply', 'apply_queued'].includes(status);
}

/** It is judged, and a cancel would undo nothing that is done. */
export function isStage(status: RunStatus): boolean {
  return ['pre_plan_running', 'post_plan_running', 'pre_apply_running'].includes(status);
}

/** An agent may take it from here. */
export function startsPhase(status: RunStatus): boolean {
  return status === 'plan_queued' || status === 'apply_queued';
}

/** Whoever carried it out so far is done with it: it is over, or others decide what comes next. */
export function endsClaim(status: RunStatus): boolean {
  return isFinal(status) || status === 'confirmed' || status === SAVED;
}

/** In the queue of the organization: it waits for somebody to carry it out, or is being carried out. */
export const QUEUED = [
  'pending',
  'queuing',
  'plan_queued',
  'planning',
  'confirmed',
  'queuing_apply',
  'apply_queued',
  'applying',
] as const satisfies readonly RunStatus[];
/** Those of them that are being carried out. */
export const RUNNING = ['planning', 'applying'] as const satisfies readonly RunStatus[];

/** What `filter[status_group]` knows. */
export const STATUS_GROUPS: Readonly<Record<string, readonly RunStatus[]>> = {
  final: FINAL,
  non_final: RUN_STATUSES.filter((status) => !FINAL.includes(status)),
  discardable: ACTIONS.discard,
};
