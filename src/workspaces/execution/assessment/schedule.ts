import type { Clock } from '../../../lib/clock.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import type { Reconciler } from '../job/run-reconciler.ts';
import { isAssessment } from '../run/run.ts';
import type { TransitionListener } from '../run/run-state-machine.ts';
import type { Beginning } from './beginning.ts';
import { nextTimeOf } from './day.ts';
import * as store from './schedule-store.ts';

/** When a workspace is looked at again that a run was under way in, milliseconds. */
const LATER = 3_600_000;

/**
 * Looks at each workspace that has had a good run once a day, and begins to assess those that are to be: whether they are is read
 * then, so that nothing has to be told of settings. Whoever moves the next time on goes on, so that of many nodes one does.
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

  /** @param workspaceId of which it is the time */
  async reconcile(tx: Transaction, workspaceId: string): Promise<void> {
    const now = this.#clock();
    const seen = await store.nextAssessmentTime(tx, workspaceId);
    const next = nextTimeOf(workspaceId, now);
    if (seen === undefined || seen > now || !(await store.rescheduleAssessment(tx, workspaceId, seen, next))) return;
    // It had no time of the day.
    if (seen === 0 || !(await this.#beginning.isWanted(tx, workspaceId))) return;
    const obstacle = await this.#beginning.begin(tx, workspaceId, null, now);
    if (obstacle?.kind === 'busy') await store.rescheduleAssessment(tx, workspaceId, next, Math.min(next, now + LATER));
  }

  /** Told of each step of a run: one that went well makes its workspace worth a look. */
  readonly onTransition: TransitionListener = async (tx, run, { now }) => {
    const isGood = run.status === 'applied' || run.status === 'planned_and_finished';
    if (isGood && !isAssessment(run)) await store.addSchedule(tx, run.workspaceId, nextTimeOf(run.workspaceId, now));
  };
}
