import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import type { Reconciler } from '../job/run-reconciler.ts';
import { nextTime } from './cron.ts';
import { delayOf } from './jitter.ts';
import { addOutcome } from './outcome-store.ts';
import type { Schedule } from './schedule.ts';
import * as store from './store.ts';
import * as taskStore from './task-store.ts';

/** @limit workspaces of a project's schedule that one sweep distributes, workspaces -> the next sweep continues */
const MAX_DISTRIBUTED = 250;
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

  due(db: Queries): Promise<string[]> {
    return store.dueSchedules(db, this.#clock());
  }

  async reconcile(tx: Transaction, id: string): Promise<void> {
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
    const workspaces = await this.#workspaces(tx, schedule);
    for (const workspaceId of workspaces.ids) await this.#add(tx, schedule, { workspaceId, occurredAt: nextAt }, now);
    if (workspaces.last === undefined) {
      const next = nextTime(schedule, now) ?? null;
      await store.setProgress(tx, id, { nextAt: next, distributedTo: '', occurredAt: nextAt, firedAt: now });
    } else {
      await store.setProgress(tx, id, { ...schedule, distributedTo: workspaces.last });
    }
  }

  /** Returns the next workspaces of the occurrence, and the last one of this step if others may follow. */
  async #workspaces(tx: Transaction, schedule: Schedule): Promise<{ ids: string[]; last?: string }> {
    if (schedule.workspaceId !== null) return { ids: [schedule.workspaceId] };
    const found = await store.nextWorkspaces(tx, schedule, MAX_DISTRIBUTED);
    const ids = found.filter(({ isExcluded }) => !isExcluded).map(({ id }) => id);
    const last = found.length < MAX_DISTRIBUTED ? undefined : found.at(-1)?.id;
    return last === undefined ? { ids } : { ids, last };
  }

  async #add(
    tx: Transaction,
    { id: scheduleId, organizationId, projectId, jitter }: Schedule,
    { workspaceId, occurredAt }: Pick<taskStore.Task, 'workspaceId' | 'occurredAt'>,
    now: number,
  ): Promise<void> {
    const dueAt = occurredAt + delayOf(scheduleId, workspaceId, jitter);
    if (await taskStore.addTask(tx, { scheduleId, workspaceId, organizationId, occurredAt, dueAt })) return;
    const outcome = { scheduleId, workspaceId, occurredAt, reason: NOT_STARTED, runId: null, createdAt: now };
    await addOutcome(tx, { id: prefixedId('sco', now), status: 'skipped', ...outcome }, projectId !== null);
  }
}
