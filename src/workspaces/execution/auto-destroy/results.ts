import type { Clock } from '../../../lib/clock.ts';
import type { Transaction } from '../../../storage/index.ts';
import {
  type AutoDestroyOutcome,
  findWorkspaces,
  setAutoDestroy,
  setDestroyed,
  setWorkedAt,
} from '../../workspace/index.ts';
import { removeAutoDestroyRetrier } from '../approval/authors.ts';
import { isFinal } from '../lifecycle/status.ts';
import type { Run } from '../run/run.ts';
import type { RunStep } from '../run/run-effect.ts';
import type { AutoDestroyPlans } from './plans.ts';
import { isActivity, retryAfterFailure, retryAfterObstacle } from './rules.ts';
import type { NotifyWorkspace } from './schedule.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const DESTROYED: readonly string[] = ['applied', 'planned_and_finished'];

/** Follows runs: activity in workspaces, and the results of destroy runs. */
export class AutoDestroyResults {
  readonly #clock: Clock;
  readonly #plans: AutoDestroyPlans;
  readonly #notify: NotifyWorkspace;

  constructor(clock: Clock, plans: AutoDestroyPlans, notify: NotifyWorkspace) {
    this.#clock = clock;
    this.#plans = plans;
    this.#notify = notify;
  }

  /** Notes that a run shows activity. */
  async started(tx: Transaction, run: Run, now: number): Promise<void> {
    if (!isActivity(run)) return;
    await setWorkedAt(tx, run.workspaceId, now);
    await this.#plans.active(tx, run.workspaceId, now);
  }

  /** Counts the workspace as destroyed after a run of any user that destroyed everything. */
  async destroyed(tx: Transaction, run: Run, now: number): Promise<void> {
    const { id, operation, parameters, workspaceId } = run;
    if (operation !== 'destroy' || (parameters['target-addrs'] ?? []).length > 0) return;
    await setDestroyed(tx, workspaceId, now);
    await removeAutoDestroyRetrier(tx, workspaceId);
    const row = await store.findPlan(tx, workspaceId);
    if (row === undefined) return;
    if (row.kind === 'at') await store.removePlan(tx, workspaceId);
    else await store.putPlan(tx, { ...row, ...OVER });
    await this.#tell(tx, workspaceId, { status: null, at: null, explanation: texts.destroyed(id, now) });
    if (row.runId !== id) return;
    await this.#report(tx, run, row, texts.destroyed(id, now), now);
  }

  /** Shows the progress of an automatic destroy run in its workspace, and its result. */
  async progressed(tx: Transaction, run: Run, { before, now }: RunStep): Promise<void> {
    const { id: runId, status, workspaceId } = run;
    const row = await store.findPlan(tx, workspaceId);
    if (row?.runId !== runId || row.state !== 'running' || DESTROYED.includes(status)) return;
    if (!isFinal(status)) {
      const shown = { status: 'running', at: row.dueAt, explanation: texts.progressOf(run), runId } as const;
      return this.#tell(tx, workspaceId, shown);
    }
    if (isEndedByUser(run, before)) {
      await store.putPlan(tx, { ...row, state: 'stopped', nextAt: null, runId: null });
      return this.#fail(tx, run, row, texts.stoppedByUser(run), null, now);
    }
    if (status === 'discarded') return this.#unwanted(tx, run, row, now);
    const attempts = row.attempts + 1;
    const nextAt = retryAfterFailure(attempts, now);
    await store.putPlan(tx, { ...row, state: nextAt === null ? 'stopped' : 'failed', nextAt, attempts, runId: null });
    return this.#fail(tx, run, row, texts.failed(run, attempts, nextAt), nextAt, now);
  }

  async #fail(
    tx: Transaction,
    run: Run,
    row: store.PlanRow,
    text: string,
    nextAttemptAt: number | null,
    now: number,
  ): Promise<void> {
    const shown = { status: 'errored', at: row.dueAt, explanation: text, runId: run.id, nextAttemptAt } as const;
    await this.#tell(tx, run.workspaceId, shown);
    await this.#report(tx, run, row, text, now);
  }

  /** Handles the result of a run that is over, because its effects were lost. */
  async finished(tx: Transaction, run: Run): Promise<void> {
    const now = run.finishedAt ?? this.#clock();
    if (DESTROYED.includes(run.status)) await this.destroyed(tx, run, now);
    else await this.progressed(tx, run, { before: run, now, phases: [], actor: null, stagesFollow: false });
  }

  /** Handles a run that the server ended because it was not wanted any more (wanted.ts). */
  async #unwanted(tx: Transaction, run: Run, row: store.PlanRow, now: number): Promise<void> {
    const [workspace] = await findWorkspaces(tx, [run.workspaceId]);
    if (workspace === undefined) return;
    await store.putPlan(tx, { ...row, runId: null });
    if (workspace.settings['allow-destroy-plan']) return this.#plans.replan(tx, workspace, now);
    const nextAt = retryAfterObstacle(1, now);
    await store.putPlan(tx, { ...row, state: 'blocked', nextAt, attempts: 1, runId: null });
    await this.#fail(tx, run, row, texts.unwanted(run, texts.NOT_ALLOWED, nextAt), nextAt, now);
  }

  #tell(tx: Transaction, workspaceId: string, outcome: Partial<AutoDestroyOutcome>): Promise<void> {
    const whole = { status: null, at: null, explanation: null, runId: null, nextAttemptAt: null, ...outcome };
    return setAutoDestroy(tx, workspaceId, whole).then(() => {});
  }

  #report(tx: Transaction, run: Run, { dueAt }: store.PlanRow, text: string, now: number): Promise<void> {
    const news = { trigger: 'workspace:auto_destroy_run_results', text, destroyAt: dueAt } as const;
    return this.#notify(tx, run.workspaceId, { ...news, runId: run.id, runStatus: run.status }, now);
  }
}

const OVER = { state: 'over', dueAt: null, nextAt: null, reminded: 0, attempts: 0, runId: null } as const;

/** Returns whether a user, not the server, ended the run. */
function isEndedByUser({ status, cancelReason }: Run, before: Run): boolean {
  const isEnded = status === 'discarded' || status === 'canceled' || status === 'force_canceled';
  return isEnded && cancelReason === null && before.cancelReason === null;
}
