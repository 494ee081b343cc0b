import type { Clock } from '../../../lib/clock.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import type { Reconciler } from '../job/run-reconciler.ts';
import type { Beginning } from './beginning.ts';
import { nextTimeOf } from './day.ts';
import * as store from './schedule-store.ts';

/** Delay before the next try if a run was in progress in the workspace, milliseconds. */
const LATER = 3_600_000;

/**
 * Starts the daily assessment of each workspace that has had a successful run. Reads the settings when an assessment
 * is due, so that no change of a setting has to update the schedule. The node that moves the next time starts the
 * assessment (optimistic concurrency).
 */
export class Schedule implements Reconciler {
  readonly #clock: Clock;
  readonly #beginning: Beginning;

  constructor(clock: Clock, beginning: Beginning) {
    this.#clock = clock;
    this.#beginning = beginning;
  }

  due(db: Queries): Promise<string[]> {
    return store.dueWorkspaces(db, this.#clock());
  }

  /**
   * Starts the assessment of a workspace.
   * @param workspaceId workspace whose assessment is due
   */
  async reconcile(tx: Transaction, workspaceId: string): Promise<void> {
    const now = this.#clock();
    const seen = await store.nextAssessmentTime(tx, workspaceId);
    const next = nextTimeOf(workspaceId, now);
    if (seen === undefined || seen > now || !(await store.rescheduleAssessment(tx, workspaceId, seen, next))) return;
    // The workspace had no time of the day yet.
    if (seen === 0 || !(await this.#beginning.isWanted(tx, workspaceId))) return;
    const obstacle = await this.#beginning.begin(tx, workspaceId, null, now);
    if (obstacle?.kind === 'busy') await store.rescheduleAssessment(tx, workspaceId, next, Math.min(next, now + LATER));
  }

  async postpone(tx: Transaction, workspaceId: string): Promise<void> {
    const now = this.#clock();
    const seen = await store.nextAssessmentTime(tx, workspaceId);
    if (seen !== undefined && seen <= now) await store.rescheduleAssessment(tx, workspaceId, seen, now + LATER);
  }

  /** Schedules a workspace, unless it is scheduled already. */
  add(tx: Transaction, workspaceId: string, now: number): Promise<unknown> {
    return store.addSchedule(tx, workspaceId, nextTimeOf(workspaceId, now));
  }
}
