import { QUEUED, RUNNING, type RunStatus } from './status.ts';

/**
 * What comes before what in the queue of an organization: what has been begun, then applies, plans, plans alone. Assessments are
 * behind all of them, those that have been begun too: nobody counts them, and no run waits for its turn behind one.
 */
export const QUEUE_CLASS = {
  ...{ running: 0, apply: 1, plan: 2, planOnly: 3, waiting: 4 },
  ...{ assessment: 5, assessing: 6 },
} as const;
/** One of them, as it is stored. */
export type QueueClass = (typeof QUEUE_CLASS)[keyof typeof QUEUE_CLASS];

/**
 * How much later a run counts than the one before it of the same workspace and class, milliseconds. So a workspace with
 * many plans does not keep others waiting; and nobody is overtaken for ever, since every turn is a time that comes.
 */
const WORKSPACE_STEP = 60_000;

/** What the place of a run in the queue depends on. */
export interface Queueable {
  readonly status: RunStatus;
  readonly awaitsWorkspace: boolean;
  readonly parameters: { readonly 'plan-only': boolean };
  readonly operation: string;
}

/** Whether a run of that status is in the queue of its organization. */
export function isQueued(status: RunStatus): boolean {
  return (QUEUED as readonly RunStatus[]).includes(status);
}

/** Where a run stands that is in the queue: behind `waiting` are those whose turn in their workspace is still to come. */
export function queueClassOf({ status, awaitsWorkspace, parameters, operation }: Queueable): QueueClass {
  const isRunning = (RUNNING as readonly RunStatus[]).includes(status);
  if (operation === 'assessment') return isRunning ? QUEUE_CLASS.assessing : QUEUE_CLASS.assessment;
  if (awaitsWorkspace) return QUEUE_CLASS.waiting;
  if (isRunning) return QUEUE_CLASS.running;
  if (status === 'apply_queued' || status === 'queuing_apply') return QUEUE_CLASS.apply;
  if (status !== 'plan_queued' && status !== 'queuing') return QUEUE_CLASS.waiting;
  return parameters['plan-only'] ? QUEUE_CLASS.planOnly : QUEUE_CLASS.plan;
}

/** Whether runs of that class wait for somebody to carry them out: among them, workspaces take turns. */
export function isFairlyOrdered(place: QueueClass): boolean {
  const { running, waiting, assessing } = QUEUE_CLASS;
  return place !== running && place !== waiting && place !== assessing;
}

/**
 * How much later a run counts for each that its organization has in the same class already, milliseconds: the installation's own agents
 * serve all of them, and one with many workspaces does not keep the others waiting.
 */
const ORGANIZATION_STEP = 1_000;

/**
 * The turn of a run that comes into a class now.
 * @param last the last turn of its workspace there, if it has any
 * @param ahead how many runs of its organization are there
 */
export function nextQueueOrder(last: number | null, ahead: number, now: number): number {
  const among = now + ahead * ORGANIZATION_STEP;
  return last === null ? among : Math.max(among, last + WORKSPACE_STEP);
}
