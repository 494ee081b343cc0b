import { isoTime } from '../../../lib/clock.ts';
import type { AutoDestroyPlan } from '../../workspace/index.ts';
import { isReady } from '../lifecycle/status.ts';
import type { Run } from '../run/run.ts';
import { MAX_ATTEMPTS } from './rules.ts';

/** Returns the message of a destroy run, which names the setting. */
export function messageOf({ kind, source, duration }: AutoDestroyPlan, dueAt: number): string {
  if (kind === 'at') return `Auto-destroy: auto-destroy-at is ${isoTime(dueAt)}`;
  return `Auto-destroy: no activity for ${duration} (auto-destroy-activity-duration of the ${source})`;
}

export const reminder = (dueAt: number) =>
  `The server destroys all resources of the workspace at ${isoTime(dueAt)}. Change the auto-destroy setting to keep them.`;

/** Describes an unfinished destroy run. */
export function progressOf({ id, status, waitingFor, parameters }: Run): string {
  if (status === 'pending')
    return `Run ${id} destroys all resources. It waits: ${waitingFor ?? 'its turn comes next'}.`;
  if (isReady(status) && !parameters['auto-apply']) {
    return `Run ${id} destroys all resources. Its plan waits for confirmation: the events of the run have the reason.`;
  }
  return `Run ${id} destroys all resources. It is ${status}.`;
}

export const destroyed = (runId: string, now: number) => `Run ${runId} destroyed all resources at ${isoTime(now)}.`;

export const nothingToDestroy = (now: number) =>
  `The time for the destroy run came at ${isoTime(now)}. The workspace managed no resources, so no run was started.`;

export const failed = (run: Pick<Run, 'id' | 'status'>, attempts: number, nextAt: number | null) => {
  const what = `Run ${run.id} did not destroy all resources: it is ${run.status}. Its log has the reason.`;
  if (nextAt === null) {
    return `${what} This was attempt ${attempts} of ${MAX_ATTEMPTS}. Correct the cause, then retry the destroy run.`;
  }
  return `${what} The server tries again at ${isoTime(nextAt)}: attempt ${attempts + 1} of ${MAX_ATTEMPTS}.`;
};

export const stoppedByUser = ({ id, status }: Pick<Run, 'id' | 'status'>) =>
  `Run ${id} did not destroy all resources: a user ended it, and it is ${status}. Retry the destroy run, or change the setting.`;

export const blocked = (obstacle: string, nextAt: number) =>
  `The destroy run could not start. ${obstacle}. The server tries again at ${isoTime(nextAt)}.`;

export const unwanted = ({ id }: Pick<Run, 'id'>, why: string, nextAt: number) =>
  `Run ${id} was ended, and nothing was destroyed. ${why}. The server tries again at ${isoTime(nextAt)}.`;

export const missed = (dueAt: number) =>
  `The time ${isoTime(dueAt)} passed while the server could not act on it: before an upgrade, or while the workspace was deleted. Nothing was destroyed. Retry the destroy run, or change the setting.`;

export const queued = (most: number) =>
  `The destroy run is due. It starts when fewer than ${most} automatic destroy runs of the organization are unfinished.`;

/** Reason for which an unfinished destroy run ends. */
export const MOVED = 'The run was ended: the workspace has another auto-destroy time now';

export const NO_CONFIGURATION =
  'The workspace has no configuration version that can be applied. Upload one, or destroy the resources from your machine';
export const NOT_ALLOWED =
  'The setting allow-destroy-plan of the workspace is false. Allow destroy plans, or change the auto-destroy setting';
