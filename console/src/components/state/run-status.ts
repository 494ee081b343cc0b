import type { Meaning } from '../icon/Icon.tsx';
import type { IconName } from '../icon/icons.tsx';

interface Sign {
  readonly icon: IconName;
  readonly is: Meaning;
  readonly turns?: boolean;
}

const WORKS: Sign = { icon: 'run', is: 'run', turns: true };
const WAITS: Sign = { icon: 'wait', is: 'attention' };
const DONE: Sign = { icon: 'ok', is: 'good' };
const OVER: Sign = { icon: 'slash', is: 'idle' };

const SIGNS: Readonly<Record<string, Sign>> = {
  applied: DONE,
  planned_and_saved: DONE,
  planned_and_finished: { icon: 'same', is: 'good' },
  // Events of a run that are no statuses.
  approved: DONE,
  approvals_awaited: { icon: 'wait', is: 'idle' },
  approval_revoked: OVER,
  errored: { icon: 'err', is: 'bad' },
  discarded: OVER,
  canceled: OVER,
  force_canceled: OVER,
  planned: WAITS,
  cost_estimated: WAITS,
  policy_checked: WAITS,
  policy_override: WAITS,
  policy_soft_failed: WAITS,
  tf_policy_override: WAITS,
  tf_policy_checked: WAITS,
  post_plan_completed: WAITS,
  pre_plan_awaiting_decision: WAITS,
  post_plan_awaiting_decision: WAITS,
  pending: { icon: 'queued', is: 'idle' },
  plan_queued: { icon: 'queued', is: 'idle' },
  apply_queued: { icon: 'queued', is: 'idle' },
  queuing: { icon: 'queued', is: 'idle' },
  queuing_apply: { icon: 'queued', is: 'idle' },
};

/** Returns the sign of a run status. Unlisted statuses are in progress. */
export const signOf = (status: string): Sign => SIGNS[status] ?? WORKS;

const statuses = (wanted: (sign: Sign) => boolean): readonly string[] =>
  Object.keys(SIGNS).filter((status) => wanted(signOf(status)));

/** Statuses in which a run waits for a user. */
export const WAITING: readonly string[] = statuses((sign) => sign === WAITS);
/** Statuses in which a run is in progress, without queued ones. */
export const RUNNING: readonly string[] = [
  'fetching',
  'planning',
  'applying',
  'pre_plan_running',
  'post_plan_running',
  'pre_apply_running',
  'post_apply_running',
  'cost_estimating',
  'policy_checking',
  'confirmed',
];

/** Converts a status of the API to words. */
export const wordOf = (status: string): string => status.replaceAll('_', ' ');
