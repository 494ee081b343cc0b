import type { Clock } from '../../../lib/clock.ts';
import type { Transaction } from '../../../storage/index.ts';
import {
  type AutoDestroyPlan,
  autoDestroyPlan,
  type Dependent,
  findWorkspaces,
  plansTheSame,
  type SettingsChange,
  setAutoDestroy,
  type Workspace,
} from '../../workspace/index.ts';
import { setAutoDestroyAuthor } from '../approval/authors.ts';
import { allows, isFinal } from '../lifecycle/status.ts';
import { cancelRun } from '../run/interruption.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import { nextLook, remindersPassed } from './rules.ts';
import * as store from './store.ts';
import { MOVED } from './texts.ts';

/** Statuses in which the run has started to destroy. It is not interrupted: half of the resources would stay. */
const DESTROYING: readonly string[] = ['applying', 'post_apply_running', 'post_apply_completed'];

/**
 * Keeps the schedule right when a setting, a project or the activity of a workspace changes, in the transaction of the
 * change. Activity alone does not update a time that is still to come: the schedule calculates it again at that time.
 */
export class AutoDestroyPlans {
  readonly #clock: Clock;
  readonly #stateMachine: RunStateMachine;

  constructor(clock: Clock, stateMachine: RunStateMachine) {
    this.#clock = clock;
    this.#stateMachine = stateMachine;
  }

  async settingsChanged(tx: Transaction, change: SettingsChange): Promise<void> {
    const { workspaceId, before, after, isNewInProject, by, now } = change;
    if (!plansTheSame(before, after)) {
      await setAutoDestroyAuthor(tx, workspaceId, by);
      return this.#replanOne(tx, workspaceId, now);
    }
    if (!isNewInProject || !after['inherits-project-auto-destroy']) {
      await store.wakeBlocked(tx, workspaceId, now);
    } else if (await store.isConcerned(tx, workspaceId)) {
      // The move puts the setting of the project into effect.
      await setAutoDestroyAuthor(tx, workspaceId, by);
      await this.#replanOne(tx, workspaceId, now);
    }
  }

  /**
   * Handles activity in a workspace. A destroy run for a period without activity is ended, unless it destroys already.
   */
  async active(tx: Transaction, workspaceId: string, now: number): Promise<void> {
    const row = await store.findPlan(tx, workspaceId);
    if (row?.kind !== 'idle' || row.state === 'waiting' || row.state === 'found') return;
    const run = row.runId === null ? undefined : await this.#stateMachine.claim(tx, row.runId);
    if (run !== undefined && (isFinal(run.status) || DESTROYING.includes(run.status))) return;
    const [workspace] = await findWorkspaces(tx, [workspaceId]);
    const plan = workspace && autoDestroyPlan(workspace);
    if (workspace === undefined || (row.state === 'over' && plan?.dueAt === null)) return;
    await this.replan(tx, workspace, now);
  }

  /** Calculates the time of a workspace again, and forgets earlier attempts. */
  async replan(tx: Transaction, workspace: Workspace, now: number): Promise<void> {
    const { id, autoDestroy } = workspace;
    const plan = autoDestroyPlan(workspace);
    const row = await store.findPlan(tx, id);
    const dueAt = plan?.dueAt ?? null;
    if (plan !== undefined && row?.runId && dueAt !== null && dueAt <= now) {
      // The run is still wanted.
      await store.putPlan(tx, { ...row, kind: plan.kind, dueAt });
      await setAutoDestroy(tx, id, autoDestroy && { ...autoDestroy, at: dueAt });
      return;
    }
    if (plan === undefined) await store.removePlan(tx, id);
    else await store.putPlan(tx, planned(workspace, plan, now));
    if (autoDestroy !== null) await setAutoDestroy(tx, id, null);
    if (row?.runId) await this.#end(tx, row.runId, now);
  }

  /** The part of the schedule in the deletion of workspaces. */
  get dependent(): Dependent {
    return {
      name: 'auto-destroy',
      detach: async (tx, { id }) => {
        await store.removePlan(tx, id);
        return null;
      },
      attach: async (tx, { id }) => {
        const [workspace] = await findWorkspaces(tx, [id]);
        const plan = workspace && autoDestroyPlan(workspace);
        if (workspace === undefined || plan === undefined) return;
        const now = this.#clock();
        await store.putPlan(tx, { ...planned(workspace, plan, now), state: 'found', nextAt: now });
      },
    };
  }

  async #replanOne(tx: Transaction, workspaceId: string, now: number): Promise<void> {
    const [workspace] = await findWorkspaces(tx, [workspaceId]);
    if (workspace !== undefined) await this.replan(tx, workspace, now);
  }

  /** Ends a destroy run that is not wanted any more. */
  async #end(tx: Transaction, runId: string, now: number): Promise<void> {
    const run = await this.#stateMachine.claim(tx, runId);
    if (run === undefined || isFinal(run.status) || DESTROYING.includes(run.status)) return;
    const ended = { ...run, cancelReason: MOVED };
    if (!allows('discard', run.status)) await cancelRun(this.#stateMachine, tx, ended, { now, actor: null });
    else await this.#stateMachine.transition(tx, ended, 'discarded', { now, actor: null });
  }
}

/** Returns the row of a workspace whose time was calculated now. */
export function planned(
  { id, organizationId }: Pick<Workspace, 'id' | 'organizationId'>,
  { kind, dueAt }: Pick<AutoDestroyPlan, 'kind' | 'dueAt'>,
  now: number,
): store.PlanRow {
  const row = { workspaceId: id, organizationId, kind, dueAt, attempts: 0, runId: null };
  if (dueAt === null) return { ...row, state: 'over', nextAt: null, reminded: 0 };
  const reminded = remindersPassed(dueAt, now);
  return { ...row, state: 'waiting', nextAt: nextLook(dueAt, reminded), reminded };
}
