import type { AppError } from '../../../lib/errors.ts';
import type { Database, Queries } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import type { Actor, WorkspacePermission, WorkspacePermissions } from '../../tenancy/index.ts';
import { executionOf, type WorkspaceFinder, type WorkspaceView } from '../../workspace/index.ts';
import { isExecutedByAgents } from './executable.ts';
import { isAssessment, type Run } from './run.ts';
import * as store from './store.ts';

/** A run, and the permissions that the actor has on its workspace. */
export interface RunView extends Run {
  readonly workspace: WorkspaceView;
  readonly permissions: RunPermissions;
  /** Position in the queue of the organization, from 1; 0 if the run is not queued. */
  readonly position: number;
}

/** Permissions of the actor on a run. */
export interface RunPermissions {
  readonly apply: boolean;
  readonly cancel: boolean;
  readonly comment: boolean;
  readonly forceCancel: boolean;
  /** Permission to report status changes and to write logs. */
  readonly executeTrial: boolean;
}

/**
 * Returns the error for an actor that may not execute the run. An agent can see the run, so it gets 409 instead of
 * 404.
 */
export function refusalOf(actor: Actor): AppError {
  return actor.kind === 'agent' ? conflict(NOT_TAKEN) : notFound();
}

const OF_AGENTS =
  'Agents execute the runs of this workspace, so that a user cannot report their progress. Approvers trust the plan, its log and its counts';
const NOT_TAKEN = 'This agent does not have the job any more: the job is over, or the server gave it to another agent';

/** Returns whether the actor holds the current job of the run. */
export function isAssignedAgent(actor: Actor, { id, agentId, fence }: Pick<Run, 'id' | 'agentId' | 'fence'>): boolean {
  if (actor.kind !== 'agent' || actor.job === undefined || agentId === null) return false;
  if (actor.job.isReader || actor.job.stage === 'over') return false;
  return actor.job.runId === id && actor.job.fence === fence;
}

/** Returns whether the actor's job token belongs to another phase: the token of a plan cannot write to the apply. */
export function isAnotherJob(actor: Actor, phaseId: string): boolean {
  return actor.kind === 'agent' && actor.job?.phaseId !== phaseId;
}

/**
 * Returns the permissions on a run. A user who may queue such a run may also cancel and execute it; a force-cancel
 * needs more.
 * @param carries whether the actor is the agent that claimed the run
 */
export function runPermissions(run: Run, permissions: WorkspacePermissions, carries = false): RunPermissions {
  const apply = permissions['can-queue-apply'];
  const handles = run.parameters['plan-only'] ? permissions['can-queue-run'] : apply;
  return {
    apply,
    cancel: handles,
    comment: permissions['can-queue-run'],
    forceCancel: apply && permissions['can-update'],
    // A user reports only what no agent executes: approvers trust the log and the counts.
    executeTrial: carries || (handles && run.agentId === null),
  };
}

/**
 * Returns whether the actor requests a run that it may not see. A job or run task token sees only its own run. Only
 * the agent that executes an assessment sees its run.
 */
function isForeign(actor: Actor, run: Pick<Run, 'id' | 'operation'>): boolean {
  if (actor.kind === 'agent') return actor.job?.runId !== run.id || actor.job.isReader;
  return isAssessment(run) || (actor.kind === 'task' && actor.runId !== run.id);
}

/** Finds runs and checks permissions in one step. */
export class RunFinder {
  readonly #database: Database;
  readonly #workspaces: WorkspaceFinder;
  readonly #isRemoteOfAgents: boolean;

  constructor(database: Database, workspaces: WorkspaceFinder, isRemoteOfAgents: boolean) {
    this.#database = database;
    this.#workspaces = workspaces;
    this.#isRemoteOfAgents = isRemoteOfAgents;
  }

  /**
   * Finds a run.
   * @throws 404 when it does not exist, or the actor may not see it
   */
  async find(actor: Actor, id: string, permission: WorkspacePermission = 'can-read-run'): Promise<RunView> {
    const run = await store.findRun(this.#database, id);
    if (run === undefined || isForeign(actor, run)) throw notFound();
    const workspace = await this.#workspaces.find(actor, { id: run.workspaceId }, permission);
    const position = await store.queuePosition(this.#database, id);
    return {
      ...run,
      workspace,
      position,
      permissions: runPermissions(run, workspace.permissions, isAssignedAgent(actor, run)),
    };
  }

  /**
   * Checks that the actor may report about the run: as its agent, or because no agent executes it. Call it after the
   * check of the permission `executeTrial`.
   * @throws 409 for a user whose run agents execute. An approval would be for a plan that its requester made up
   */
  requireExecutor(actor: Actor, { workspace }: RunView): void {
    if (actor.kind === 'agent') return;
    if (isExecutedByAgents(executionOf(workspace).mode, this.#isRemoteOfAgents)) throw conflict(OF_AGENTS);
  }

  /**
   * Returns whether the run is being applied and `writer` is its agent. If the run has no agent, every writer counts.
   */
  async isAppliedBy(db: Queries, id: string, writer: Identifier): Promise<boolean> {
    const run = await store.findRun(db, id);
    if (run?.status !== 'applying') return false;
    return run.agentId === null || (writer.type === 'agents' && writer.id === run.agentId);
  }

  /** Returns an object that belongs to a run, if the actor may see the run. @throws 404 otherwise */
  async owner<T extends { readonly runId: string }>(actor: Actor, owned: T | undefined): Promise<T> {
    const run = owned && (await store.findRun(this.#database, owned.runId));
    if (owned === undefined || run === undefined || isForeign(actor, run)) throw notFound();
    await this.#workspaces.find(actor, { id: run.workspaceId }, 'can-read-run');
    return owned;
  }

  /** Returns those of the runs in one organization that the actor may see, in the same order. */
  async views(
    actor: Actor,
    organizationId: string,
    runs: readonly (Run & { readonly position: number })[],
  ): Promise<RunView[]> {
    const ids = [...new Set(runs.map(({ workspaceId }) => workspaceId))];
    const workspaces = await this.#workspaces.readable(actor, organizationId, ids);
    const byId = new Map(workspaces.map((workspace) => [workspace.id, workspace]));
    return runs.flatMap((run) => {
      const workspace = byId.get(run.workspaceId);
      if (!workspace?.permissions['can-read-run'] || isForeign(actor, run)) return [];
      return [
        { ...run, workspace, permissions: runPermissions(run, workspace.permissions, isAssignedAgent(actor, run)) },
      ];
    });
  }
}
