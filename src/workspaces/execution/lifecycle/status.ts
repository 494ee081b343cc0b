/** Statuses that may follow a plan, directly or after `planned`. */
const AFTER_PLAN = [
  'cost_estimating',
  'policy_checking',
  'post_plan_running',
  'planned_and_finished',
  'planned_and_saved',
] as const;

/**
 * Transition table of the progress of a run: the statuses that may follow each status. `ACTIONS` has the actions of
 * users, and `mayBecome` combines both. A stage may come before any of them (`RunStateMachine.transition`). A status
 * without successors is final.
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

/** A status of a run. */
export type RunStatus = keyof typeof NEXT;
/** List of all statuses of a run. */
export const RUN_STATUSES = Object.keys(NEXT) as RunStatus[];

const SAVED: RunStatus = 'planned_and_saved';

/** Returns whether the table allows the transition. */
export function leadsTo(from: RunStatus, to: RunStatus): boolean {
  return (NEXT[from] as readonly RunStatus[]).includes(to);
}

/**
 * Returns whether a run may change to another status: by its progress, by an action of a user, or because the server
 * ends it. A final status never changes.
 */
export function mayBecome(from: RunStatus, to: RunStatus): boolean {
  if (leadsTo(from, to)) return true;
  if (to === 'confirmed') return allows('apply', from);
  return !isFinal(from) && ENDED_EARLY.includes(to);
}

/** Statuses in which a user or the server may end a run that is not over. */
const ENDED_EARLY: readonly RunStatus[] = ['discarded', 'errored', 'canceled', 'force_canceled'];

/** Final statuses. A saved plan has no automatic successor but still waits for a user. */
export const FINAL = RUN_STATUSES.filter((status) => NEXT[status].length === 0 && status !== SAVED);

/** Statuses in which the plan and its evaluation are complete, so that a user may confirm it. */
export const READY = [
  'planned',
  'cost_estimated',
  'policy_checked',
  'tf_policy_checked',
  'post_plan_completed',
] as const satisfies readonly RunStatus[];

/** Statuses before the plan starts. No state has been read. */
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

/** Statuses in which users may take each action. */
export const ACTIONS = {
  apply: [...READY, SAVED],
  discard: ['pending', ...READY, 'policy_override', 'policy_soft_failed', 'tf_policy_override', SAVED],
  cancel: RUN_STATUSES.filter((status) => !FINAL.includes(status) && !isReady(status) && status !== SAVED),
} as const satisfies Record<string, readonly RunStatus[]>;

/** Returns whether the plan and its evaluation are complete. */
export function isReady(status: RunStatus): boolean {
  return (READY as readonly RunStatus[]).includes(status);
}

/** Returns whether users may take that action in that status. */
export function allows(action: keyof typeof ACTIONS, status: RunStatus): boolean {
  return (ACTIONS[action] as readonly RunStatus[]).includes(status);
}

/** Returns whether the status is final. */
export function isFinal(status: RunStatus): boolean {
  return FINAL.includes(status);
}

/** Returns whether no agent works on the run, so that a cancel ends it at once. */
export function isIdle(status: RunStatus): boolean {
  return ['pending', 'queuing', 'plan_queued', 'confirmed', 'queuing_apply', 'apply_queued'].includes(status);
}

/** Statuses in which a stage evaluates the run. */
export const STAGES_RUNNING = [
  'pre_plan_running',
  'post_plan_running',
  'pre_apply_running',
  'post_apply_running',
] as const satisfies readonly RunStatus[];

/**
 * Returns whether a stage before the apply evaluates the run. A cancel has nothing to stop then. After the apply it is
 * too late to cancel.
 */
export function isStage(status: RunStatus): boolean {
  return status !== 'post_apply_running' && (STAGES_RUNNING as readonly RunStatus[]).includes(status);
}

/** Statuses in which an agent may start a phase. */
export const STARTS_PHASE = ['plan_queued', 'apply_queued'] as const satisfies readonly RunStatus[];

/** Returns whether an agent may start a phase in that status. */
export function startsPhase(status: RunStatus): boolean {
  return (STARTS_PHASE as readonly RunStatus[]).includes(status);
}

/**
 * Returns whether the agent's claim ends in this status: the run is over, or it waits for a decision or its workspace.
 */
export function endsClaim(status: RunStatus): boolean {
  return isFinal(status) || status === 'confirmed' || status === SAVED;
}

/** Statuses in the queue of the organization: waiting for an agent, or being executed. */
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
/** Queued statuses in which an agent executes the run. */
export const RUNNING = ['planning', 'applying'] as const satisfies readonly RunStatus[];

/** Values of `filter[status_group]`, each with its statuses. */
export const STATUS_GROUPS: Readonly<Record<string, readonly RunStatus[]>> = {
  final: FINAL,
  non_final: RUN_STATUSES.filter((status) => !FINAL.includes(status)),
  discardable: ACTIONS.discard,
};
