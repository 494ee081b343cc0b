import { QUEUED, RUNNING, type RunStatus } from './status.ts';

/**
 * Order of the queue of an organization: running, applies, plans, plan-only runs. Assessments come last, even running
 * ones: they do not count, and no run waits behind one.
 */
export const QUEUE_CLASS = {
  ...{ running: 0, apply: 1, plan: 2, planOnly: 3, waiting: 4 },
  ...{ assessment: 5, assessing: 6 },
} as const;
/** A class in its stored form. */
export type QueueClass = (typeof QUEUE_CLASS)[keyof typeof QUEUE_CLASS];

/**
 * Virtual delay of each further run of the same workspace and class, milliseconds (fair queueing). A workspace with
 * many plans does not delay the others, and no run waits for ever, because its sort key is a fixed time and new runs
 * get later ones.
 */
const WORKSPACE_STEP = 60_000;

/** Properties of a run that determine its place in the queue. */
export interface Queueable {
  readonly status: RunStatus;
  readonly awaitsWorkspace: boolean;
  readonly parameters: { readonly 'plan-only': boolean };
  readonly operation: string;
}

/** Returns whether a run with that status is in the queue of its organization. */
export function isQueued(status: RunStatus): boolean {
  return (QUEUED as readonly RunStatus[]).includes(status);
}

/** Returns the class of a queued run. Class `waiting` contains runs that wait for their workspace. */
export function queueClassOf({ status, awaitsWorkspace, parameters, operation }: Queueable): QueueClass {
  const isRunning = (RUNNING as readonly RunStatus[]).includes(status);
  if (operation === 'assessment') return isRunning ? QUEUE_CLASS.assessing : QUEUE_CLASS.assessment;
  if (awaitsWorkspace) return QUEUE_CLASS.waiting;
  if (isRunning) return QUEUE_CLASS.running;
  if (status === 'apply_queued' || status === 'queuing_apply') return QUEUE_CLASS.apply;
  if (status !== 'plan_queued' && status !== 'queuing') return QUEUE_CLASS.waiting;
  return parameters['plan-only'] ? QUEUE_CLASS.planOnly : QUEUE_CLASS.plan;
}

/** Returns whether runs of that class wait for an agent, so that workspaces take turns among them. */
export function isFairlyOrdered(place: QueueClass): boolean {
  const { running, waiting, assessing } = QUEUE_CLASS;
  return place !== running && place !== waiting && place !== assessing;
}

/**
 * Virtual delay for each run of the same organization in the class, milliseconds. The server's own agents serve all
 * organizations, and one with many workspaces must not delay the others.
 */
const ORGANIZATION_STEP = 1_000;

/**
 * Returns the sort key of a run that enters a class now.
 * @param last highest sort key of its workspace in the class, if it has any
 * @param ahead number of runs of its organization in the class
 */
export function nextQueueOrder(last: number | null, ahead: number, now: number): number {
  const among = now + ahead * ORGANIZATION_STEP;
  return last === null ? among : Math.max(among, last + WORKSPACE_STEP);
}
