import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import {
  type AutoDestroyPlan,
  autoDestroyPlan,
  findWorkspaces,
  holdWorkspace,
  setAutoDestroy,
  setDestroyed,
  setWorkedAt,
  type Workspace,
} from '../../workspace/index.ts';
import { autoDestroyAskers } from '../approval/authors.ts';
import { byServer } from '../configuration-version/commits.ts';
import type { UsableConfigurations } from '../configuration-version/usable.ts';
import type { Reconciler } from '../job/run-reconciler.ts';
import { isFinal } from '../lifecycle/status.ts';
import type { WorkspaceNews } from '../lifecycle/workspace-news.ts';
import type { Run } from '../run/run.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import type { RunStart } from '../run/start.ts';
import { planned } from './plans.ts';
import { remindersPassed, retryAfterObstacle, SOURCE } from './rules.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

/** @limit workspaces whose auto-destroy time one sweep checks, workspaces -> the next sweep checks the others */
const MAX_DUE = 200;
/** Time after which the server looks at a run that is still unfinished, in case its result was lost, milliseconds. */
const WATCH = 3_600_000;

/** States whose time stays: a destroy run that failed half way has changed the state, which is no activity of a user. */
const FAILED: readonly store.PlanState[] = ['failed', 'blocked'];

/** Stores a message for the notifications of a workspace. */
export type NotifyWorkspace = (tx: Transaction, workspaceId: string, news: WorkspaceNews, now: number) => Promise<void>;

/** Dependencies of `AutoDestroySchedule`. */
export interface ScheduleOptions {
  readonly clock: Clock;
  readonly start: RunStart;
  readonly stateMachine: RunStateMachine;
  readonly configurations: Pick<UsableConfigurations, 'newest'>;
  /** Returns why the server cannot know what the state manages; undefined if it can. */
  readonly whyUnread: (tx: Transaction, workspaceId: string) => Promise<string | undefined>;
  readonly notify: NotifyWorkspace;
  /** Handles the result of a run that is over, once more. */
  readonly finished: (tx: Transaction, run: Run) => Promise<void>;
}

/** A workspace with a setting, and its row. */
interface Due {
  readonly workspace: Workspace;
  readonly row: store.PlanRow;
  readonly plan: AutoDestroyPlan;
  readonly dueAt: number;
  readonly now: number;
}

/**
 * Sends reminders and starts destroy runs when their time comes. The stored time is never later than the real one,
 * which is calculated again when the stored one comes: activity then moves it. One transaction moves the time and
 * starts the run, so that one node starts it once.
 */
export class AutoDestroySchedule implements Reconciler {
  readonly #options: ScheduleOptions;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  due(db: Queries): Promise<string[]> {
    return store.duePlans(db, this.#options.clock(), MAX_DUE);
  }

  /** @param workspaceId workspace whose time has come */
  async reconcile(tx: Transaction, workspaceId: string): Promise<void> {
    const now = this.#options.clock();
    // Locks the row of the workspace before that of the schedule, as changes of settings do.
    const exists = (await holdWorkspace(tx, workspaceId)) !== undefined;
    const row = await store.findPlan(tx, workspaceId);
    if (row === undefined || row.nextAt === null || row.nextAt > now) return;
    if (exists && row.state === 'running') return this.#watch(tx, row, now);
    const [workspace] = exists ? await findWorkspaces(tx, [workspaceId]) : [];
    const plan = workspace && autoDestroyPlan(workspace);
    if (workspace === undefined || plan === undefined || !(await store.isServed(tx, row.organizationId))) {
      await store.removePlan(tx, workspaceId);
      return;
    }
    const dueAt = FAILED.includes(row.state) && plan.dueAt !== null ? row.dueAt : plan.dueAt;
    if (dueAt === null) await store.putPlan(tx, planned(workspace, plan, now));
    else await this.#look(tx, { workspace, row, plan, dueAt, now });
  }

  async postpone(tx: Transaction, workspaceId: string): Promise<void> {
    const now = this.#options.clock();
    await holdWorkspace(tx, workspaceId);
    const row = await store.findPlan(tx, workspaceId);
    if (row === undefined || row.nextAt === null || row.nextAt > now) return;
    await store.putPlan(tx, { ...row, nextAt: retryAfterObstacle(1, now) });
  }

  /**
   * Looks at a run that was unfinished. If it is over or deleted, its result was lost: an older version of the server
   * ended it, or a backup was restored.
   */
  async #watch(tx: Transaction, row: store.PlanRow, now: number): Promise<void> {
    const run = row.runId === null ? undefined : await this.#options.stateMachine.claim(tx, row.runId);
    if (run === undefined) await store.putPlan(tx, { ...row, state: 'failed', nextAt: now, runId: null });
    else if (isFinal(run.status)) await this.#options.finished(tx, run);
    else await store.putPlan(tx, { ...row, nextAt: now + WATCH });
  }

  #look(tx: Transaction, due: Due): Promise<unknown> {
    if (due.dueAt > due.now) return this.#wait(tx, due);
    return due.row.state === 'found' ? this.#adopt(tx, due) : this.#attempt(tx, due);
  }

  /** Sends a reminder if one is due, and waits. Reminders whose time was over when the user set it are not sent. */
  async #wait(tx: Transaction, { workspace, row, plan, dueAt, now }: Due): Promise<void> {
    const passed = remindersPassed(dueAt, now);
    const over = row.dueAt === dueAt ? row.reminded : remindersPassed(dueAt, plan.activeAt ?? now);
    await store.putPlan(tx, planned(workspace, plan, now));
    if (workspace.autoDestroy !== null) await setAutoDestroy(tx, workspace.id, null);
    if (row.state !== 'waiting' || passed <= over) return;
    const news = { trigger: 'workspace:auto_destroy_reminder', text: texts.reminder(dueAt), destroyAt: dueAt } as const;
    await this.#options.notify(tx, workspace.id, { ...news, runId: null, runStatus: null }, now);
  }

  /**
   * Handles a time that passed while the server could not act on it. A fixed time needs a user; a period counts from
   * now.
   */
  async #adopt(tx: Transaction, { workspace, row, plan, dueAt, now }: Due): Promise<void> {
    const { id } = workspace;
    if (plan.activeAt !== null) {
      await setWorkedAt(tx, id, now);
      const later = dueAt - plan.activeAt + now;
      await store.putPlan(tx, planned(workspace, { ...plan, dueAt: later }, now));
      return;
    }
    await store.putPlan(tx, { ...row, kind: 'at', state: 'stopped', dueAt, nextAt: null });
    const outcome = { status: 'errored', at: dueAt, explanation: texts.missed(dueAt) } as const;
    await setAutoDestroy(tx, id, { ...outcome, runId: null, nextAttemptAt: null });
  }

  async #attempt(tx: Transaction, due: Due): Promise<void> {
    const { workspace, row, plan, dueAt, now } = due;
    if (await this.#managesNothing(tx, workspace)) return this.#skip(tx, due);
    if ((await store.fullOrganizations(tx, [row.organizationId])).size > 0) return this.#queue(tx, due);
    const started = await this.#start(tx, due);
    if ('obstacle' in started) return this.#block(tx, due, started.obstacle);
    const { runId } = started;
    await store.putPlan(tx, { ...row, kind: plan.kind, state: 'running', dueAt, nextAt: now + WATCH, runId });
    const run = await this.#options.stateMachine.claim(tx, runId);
    const explanation = run ? texts.progressOf(run) : null;
    await setAutoDestroy(tx, workspace.id, { status: 'running', at: dueAt, explanation, runId, nextAttemptAt: null });
    return undefined;
  }

  async #managesNothing(tx: Transaction, { id, current, resourceCount }: Workspace): Promise<boolean> {
    if (current.stateVersionId === null) return true;
    return resourceCount === 0 && (await this.#options.whyUnread(tx, id)) === undefined;
  }

  /** Counts the workspace as destroyed, without a run. */
  async #skip(tx: Transaction, { workspace: { id }, row, plan, now }: Due): Promise<void> {
    await setDestroyed(tx, id, now);
    await this.#end(tx, { ...row, kind: plan.kind });
    const explanation = texts.nothingToDestroy(now);
    await setAutoDestroy(tx, id, { status: null, at: null, explanation, runId: null, nextAttemptAt: null });
  }

  #end(tx: Transaction, row: store.PlanRow): Promise<unknown> {
    if (row.kind === 'at') return store.removePlan(tx, row.workspaceId);
    return store.putPlan(tx, {
      ...row,
      state: 'over',
      dueAt: null,
      nextAt: null,
      reminded: 0,
      attempts: 0,
      runId: null,
    });
  }

  /** Leaves a run due. It is looked at again, oldest first, when the organization has fewer unfinished runs. */
  async #queue(tx: Transaction, { workspace, row, dueAt }: Due): Promise<void> {
    if (row.dueAt !== dueAt) await store.putPlan(tx, { ...row, dueAt });
    if (workspace.autoDestroy !== null) return;
    const outcome = { status: 'scheduled', at: dueAt, explanation: texts.queued(store.MAX_UNFINISHED) } as const;
    await setAutoDestroy(tx, workspace.id, { ...outcome, runId: null, nextAttemptAt: null });
  }

  /** Reports an obstacle, once, and tries again later. */
  async #block(tx: Transaction, { workspace, row, plan, dueAt, now }: Due, obstacle: string): Promise<void> {
    const attempts = row.state === 'blocked' ? row.attempts + 1 : 1;
    const nextAt = retryAfterObstacle(attempts, now);
    await store.putPlan(tx, { ...row, kind: plan.kind, state: 'blocked', dueAt, nextAt, attempts, runId: null });
    const text = texts.blocked(obstacle, nextAt);
    const outcome = { status: 'errored', at: dueAt, explanation: text, runId: null, nextAttemptAt: nextAt } as const;
    await setAutoDestroy(tx, workspace.id, outcome);
    if (row.state === 'blocked') return;
    const news = { trigger: 'workspace:auto_destroy_run_results', text, destroyAt: dueAt } as const;
    await this.#options.notify(tx, workspace.id, { ...news, runId: null, runStatus: null }, now);
  }

  async #start(tx: Transaction, due: Due): Promise<{ readonly runId: string } | { readonly obstacle: string }> {
    const { workspace, plan, dueAt, now } = due;
    const { configurations, start } = this.#options;
    if (!workspace.settings['allow-destroy-plan']) return { obstacle: texts.NOT_ALLOWED };
    const place = await start.workspace(tx, workspace.id);
    if (place === undefined || place.refusal !== undefined) return { obstacle: place?.refusal ?? 'It was deleted' };
    const configurationVersionId = await configurations.newest(tx, workspace.id);
    if (configurationVersionId === undefined) return { obstacle: texts.NO_CONFIGURATION };
    const request = {
      configurationVersionId,
      ...{ source: SOURCE, triggerReason: 'auto_destroy', message: texts.messageOf(plan, dueAt) },
      createdBy: byServer(workspace.id),
      askers: await autoDestroyAskers(tx, workspace.id, plan.source === 'project' ? workspace.projectId : null),
      // The user who made the setting decides, as for run triggers.
      appliesBySettings: true,
      parameters: { 'is-destroy': true, 'auto-apply': true },
    };
    try {
      return { runId: await start.startFor(tx, place, request, now) };
    } catch (error) {
      if (error instanceof AppError) return { obstacle: error.message };
      throw error;
    }
  }
}
