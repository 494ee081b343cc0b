import { prefixedId } from '../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import type { RunStatus } from '../lifecycle/status.ts';
import type { RunOutcomes } from '../run/outcomes.ts';
import type { RunPhases } from '../run/phases.ts';
import type { Run } from '../run/run.ts';
import type { RunStateMachine, StageProvider } from '../run/run-state-machine.ts';
import type { RunTask } from '../run-task/run-task.ts';
import type { RunTaskResolver } from '../run-task/run-task-resolver.ts';
import type { ResultStore } from './result-store.ts';
import {
  AFTER,
  DURING,
  logOfRefusal,
  type Question,
  questionsOf,
  stageAfterRun,
  stageBefore,
  stageDuring,
  verdictOf,
} from './rules.ts';
import * as store from './store.ts';
import { isAwaited, isTaskOver, type ResultStatus, type TaskResult } from './task-stage.ts';

/** Dependencies of `StageWalk`. */
export interface StageWalkOptions {
  readonly stateMachine: RunStateMachine;
  readonly outcomes: Pick<RunOutcomes, 'advanceAfterPlan'>;
  readonly phases: Pick<RunPhases, 'note'>;
  readonly results: ResultStore;
  readonly resolver: RunTaskResolver;
}

/** New values of a result. */
export interface TaskReport {
  readonly status: ResultStatus;
  readonly message?: string | undefined;
  readonly url?: string | undefined;
  /** Deadline for the next report, if the result is not final. */
  readonly dueAt?: number;
}

/**
 * Moves runs through the stages at which run tasks evaluate them: starts stages, advances the run after the last
 * result, and closes stages when the run ends. All writes happen in the transaction of the run's transition.
 */
export class StageWalk implements StageProvider {
  readonly #options: StageWalkOptions;

  constructor(options: StageWalkOptions) {
    this.#options = options;
  }

  async before(db: Queries, run: Run, wanted: RunStatus): Promise<RunStatus | undefined> {
    const stage = stageBefore(run, wanted);
    const waits = stage && (await store.pendingStage(db, run.id, stage));
    return waits && DURING[waits.stage];
  }

  holds(db: Queries, runId: string): Promise<boolean> {
    return store.isStageRunning(db, runId);
  }

  /**
   * Stores a report, and advances the run if it was the last one of the stage.
   * @returns undefined when the result is final already
   */
  async record(tx: Transaction, resultId: string, said: TaskReport, now: number): Promise<TaskResult | undefined> {
    const { stateMachine, results } = this.#options;
    const asked = await results.byId(tx, resultId);
    const stage = asked && (await store.findStage(tx, asked.stageId));
    // Lock order: every change to a run locks its row first.
    const run = stage && (await stateMachine.claim(tx, stage.runId));
    const result = await results.byId(tx, resultId);
    if (run === undefined || result === undefined || !isAwaited(result)) return undefined;
    const { status, message = result.message, url = result.url, dueAt = null } = said;
    const timestamps = { ...result.timestamps, [status]: now };
    const next = { ...result, status, message, url, timestamps, updatedAt: now };
    await results.update(tx, next, isTaskOver(status) ? null : dueAt);
    if (isTaskOver(status)) await this.#settle(tx, run, result.stageId, now);
    return next;
  }

  /** Creates all stages with the run, including later ones, because clients read the list only once. */
  async create(tx: Transaction, run: Run, now: number): Promise<void> {
    const { resolver, results } = this.#options;
    const { tasks, own } = await resolver.tasksOf(tx, run);
    for (const [stage, questions] of questionsOf(tasks, own)) {
      const id = prefixedId('ts', now);
      const times = { createdAt: now, updatedAt: now };
      await store.insertStage(tx, { id, runId: run.id, stage, status: 'pending', timestamps: {}, ...times });
      for (const [place, question] of questions.entries()) {
        await results.insert(tx, resultOf(question, id, now), place);
      }
    }
  }

  /** Starts the stage that the run has entered, unless an external program moved the run there. */
  async begin(tx: Transaction, run: Run, now: number): Promise<void> {
    const begun = stageDuring(run.status);
    const stage = begun && (await store.pendingStage(tx, run.id, begun));
    if (stage === undefined) return;
    await store.setStageStatus(tx, stage, 'running', now);
    await this.#options.results.begin(tx, stage.id, now);
  }

  /** Closes the stages of a run that is over. */
  async close(tx: Transaction, run: Run, now: number): Promise<void> {
    for (const stage of await store.stagesOfRuns(tx, [run.id])) {
      const status = stageAfterRun(stage.status, run.status);
      if (status === stage.status) continue;
      await store.setStageStatus(tx, stage, status, now);
      await this.#options.results.close(tx, stage.id, now);
    }
  }

  /** Advances the run when all tasks of the stage have reported. */
  async #settle(tx: Transaction, run: Run, stageId: string, now: number): Promise<void> {
    const { outcomes, phases, stateMachine, results } = this.#options;
    const said = await results.ofStages(tx, [stageId]);
    const verdict = verdictOf(said);
    const stage = await store.findStage(tx, stageId);
    if (verdict === undefined || stage?.status !== 'running') return;
    await store.setStageStatus(tx, stage, verdict, now);
    const options = { now, actor: null };
    if (verdict === 'failed') {
      // Some clients do not show stages, but all show logs.
      await phases.note(tx, run.id, logOfRefusal(said), LOGGED[stage.stage]);
      await stateMachine.transition(tx, run, 'errored', options);
      return;
    }
    const passed = await stateMachine.transition(tx, run, AFTER[stage.stage], options);
    if (stage.stage === 'post_plan') await outcomes.advanceAfterPlan(tx, passed, now);
    else await stateMachine.transition(tx, passed, FOLLOWING[stage.stage], options);
  }
}

/** Phase whose log shows the failure of each stage. */
const LOGGED = { pre_plan: 'plan', post_plan: 'plan', pre_apply: 'apply', post_apply: 'apply' } as const;

/** Run status that follows a completed stage. */
const FOLLOWING = { pre_plan: 'plan_queued', pre_apply: 'apply_queued', post_apply: 'applied' } as const;

function resultOf({ task, workspaceTaskId, enforcementLevel }: Question, stageId: string, now: number): TaskResult {
  return {
    ...{ id: prefixedId('taskrs', now), stageId, workspaceTaskId, enforcementLevel },
    ...namesOf(task),
    ...{ status: 'pending', message: '', url: '', timestamps: {}, beganAt: null, createdAt: now, updatedAt: now },
  };
}

function namesOf({ id, organizationId, name, url }: RunTask) {
  return { taskId: id, organizationId, taskName: name, taskUrl: url };
}
