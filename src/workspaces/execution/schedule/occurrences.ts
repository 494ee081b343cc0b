import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import { postponeWork } from '../job/postponed-work.ts';
import type { Reconciler } from '../job/run-reconciler.ts';
import { nextTime } from './cron.ts';
import { delayOf } from './jitter.ts';
import { addOutcomes } from './outcome-store.ts';
import type { Schedule } from './schedule.ts';
import * as store from './store.ts';
import * as taskStore from './task-store.ts';

/** @limit workspaces of a project's schedule that one sweep distributes, workspaces -> the next sweep continues */
const MAX_DISTRIBUTED = 250;
/**
 * Workspaces that all schedules of a sweep share. Ten times as many as a sweep starts, so no start has to wait for it.
 * @limit workspaces that one sweep distributes in all schedules together, workspaces -> the next sweep continues
 */
const MAX_TOGETHER = 1000;
const NOT_STARTED = 'An earlier time of this schedule has not started in the workspace yet';

/**
 * Turns the times of schedules to tasks, one for each workspace. A project's schedule is distributed in steps, and its
 * row has the cursor: after the death of a node, the next one continues behind it. Times that passed while no server
 * ran become one occurrence.
 */
export class Occurrences implements Reconciler {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns schedules as `SCHEDULE/WORKSPACES`, with the number of workspaces that the sweep distributes. */
  async due(db: Queries): Promise<string[]> {
    const due = await store.dueSchedules(db, this.#clock());
    const ofProjects = due.filter(({ isOfProject }) => isOfProject === 1).length;
    const share = Math.floor((MAX_TOGETHER - due.length + ofProjects) / Math.max(ofProjects, 1));
    return due.map(({ id }) => `${id}/${Math.min(share, MAX_DISTRIBUTED)}`);
  }

  async reconcile(tx: Transaction, due: string): Promise<void> {
    const [id = '', most] = due.split('/');
    const now = this.#clock();
    const schedule = await store.claimSchedule(tx, id);
    if (schedule === undefined || schedule.nextAt === null) return;
    const { nextAt, firedAt } = schedule;
    // The clock was far ahead when the next time was computed. Without this, the schedule would rest until then.
    if (firedAt !== null && firedAt > now + store.CLOCK_TOLERANCE) {
      const again = { nextAt: nextTime(schedule, now) ?? null, distributedTo: '', firedAt: now };
      await store.setProgress(tx, id, { ...schedule, ...again });
      return;
    }
    if (nextAt > now) return;
    const workspaces = await this.#workspaces(tx, schedule, Number(most));
    await this.#add(tx, schedule, { ids: workspaces.ids, occurredAt: nextAt }, now);
    if (workspaces.last === undefined) {
      const next = nextTime(schedule, now) ?? null;
      await store.setProgress(tx, id, { nextAt: next, distributedTo: '', occurredAt: nextAt, firedAt: now });
    } else {
      await store.setProgress(tx, id, { ...schedule, distributedTo: workspaces.last });
    }
  }

  async postpone(tx: Transaction, due: string): Promise<void> {
    const [id = ''] = due.split('/');
    await postponeWork(tx, 'schedule', id, this.#clock());
  }

  /** Returns the next workspaces of the occurrence, and the last one of this step if others may follow. */
  async #workspaces(tx: Transaction, schedule: Schedule, most: number): Promise<{ ids: string[]; last?: string }> {
    if (schedule.workspaceId !== null) return { ids: [schedule.workspaceId] };
    const found = await store.nextWorkspaces(tx, schedule, most);
    const ids = found.filter(({ isExcluded }) => !isExcluded).map(({ id }) => id);
    const last = found.length < most ? undefined : found.at(-1)?.id;
    return last === undefined ? { ids } : { ids, last };
  }

  async #add(
    tx: Transaction,
    schedule: Schedule,
    { ids, occurredAt }: { readonly ids: readonly string[]; readonly occurredAt: number },
    now: number,
  ): Promise<void> {
    const { id: scheduleId, organizationId, jitter } = schedule;
    const tasks = ids.map((workspaceId) => {
      return { workspaceId, dueAt: occurredAt + delayOf(scheduleId, workspaceId, jitter) };
    });
    const busy = await taskStore.addTasks(tx, { scheduleId, organizationId, occurredAt }, tasks);
    const outcomes = busy.map((workspaceId) => {
      const outcome = { status: 'skipped', reason: NOT_STARTED, runId: null } as const;
      return { ...outcome, id: prefixedId('sco', now), workspaceId, occurredAt, createdAt: now };
    });
    await addOutcomes(tx, schedule, outcomes);
  }
}
