import type { Clock } from '../../../lib/clock.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import { postponeWork } from '../job/postponed-work.ts';
import type { Reconciler } from '../job/run-reconciler.ts';
import { isQueued } from '../lifecycle/queue.ts';
import { isFinal, isIdle } from '../lifecycle/status.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import * as runStore from '../run/store.ts';
import * as scheduleStore from './schedule-store.ts';
import * as store from './store.ts';

const HOUR = 3_600_000;
/** @limit time for which an assessment waits for an agent, ms -> it fails, and its result says that no agent took it */
const LONGEST_WAIT = 6 * HOUR;
const UNTAKEN = 'No agent took the assessment within 6 h. Check that agents for this workspace are running';

/** Ends assessments that block a run, and those that wait too long for an agent. */
export class AssessmentCancellation implements Reconciler {
  readonly #clock: Clock;
  readonly #stateMachine: RunStateMachine;

  constructor(clock: Clock, stateMachine: RunStateMachine) {
    this.#clock = clock;
    this.#stateMachine = stateMachine;
  }

  /** Ends the assessments of a workspace, because a new run displaces them. */
  async makeWay(tx: Transaction, workspaceId: string, now: number): Promise<void> {
    const { assessments } = await store.unfinishedRuns(tx, workspaceId);
    for (const id of assessments) await this.#cancel(tx, id, now);
  }

  due(db: Queries): Promise<string[]> {
    const now = this.#clock();
    return scheduleStore.overdueAssessments(db, now - LONGEST_WAIT, now);
  }

  async reconcile(tx: Transaction, runId: string): Promise<void> {
    const now = this.#clock();
    const run = await runStore.claimRun(tx, runId);
    if (run?.status !== 'plan_queued' || run.createdAt > now - LONGEST_WAIT) return;
    await this.#stateMachine.transition(tx, run, 'errored', { now, actor: null, reason: UNTAKEN });
  }

  async postpone(tx: Transaction, runId: string): Promise<void> {
    await postponeWork(tx, 'assessment-wait', runId, this.#clock());
  }

  /** Ends an assessment that has not started; requests the agent to interrupt one that has started. */
  async #cancel(tx: Transaction, id: string, now: number): Promise<void> {
    const run = await runStore.claimRun(tx, id);
    if (run === undefined || isFinal(run.status) || run.canceledAt !== null) return;
    const asked = { ...run, canceledAt: now };
    if (isIdle(run.status)) await this.#stateMachine.transition(tx, asked, 'canceled', { now, actor: null });
    else await runStore.updateRun(tx, asked, isQueued(run.status));
  }
}
