import type { AppError } from '../../../lib/errors.ts';
import type { Database, Queries } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import type { Actor, WorkspacePermission, WorkspacePermissions } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceView } from '../../workspace/index.ts';
import { isAssessment, type Run } from './run.ts';
import * as store from './store.ts';

/** A run, and what its workspace lets the actor do. */
export interface RunView extends Run {
  readonly workspace: WorkspaceView;
  readonly permissions: RunPermissions;
  /** In the queue of the organization, from 1; 0 when it is not in it. */
  readonly position: number;
}

/** What the actor may do with a run. */
export interface RunPermissions {
  readonly apply: boolean;
  readonly cancel: boolean;
  readonly comment: boolean;
  readonly forceCancel: boolean;
  /** Take it from step to step, and write its logs. */
  readonly carryOut: boolean;
}

/** What somebody gets who may not carry the run out: an agent, which sees it, has to take it first. */
export function refusalOf(actor: Actor): AppError {
  return actor.kind === 'agent' ? conflict(NOT_TAKEN) : notFound();
}

const NOT_TAKEN = 'The job is not carried out by this agent any more: it is over, or was taken away from it';

/** Whether the actor has the job that the run is at. */
export function isAssignedAgent(actor: Actor, { id, agentId, fence }: Pick<Run, 'id' | 'agentId' | 'fence'>): boolean {
  if (actor.kind !== 'agent' || actor.job === undefined || agentId === null) return false;
  if (actor.job.isReader || actor.job.stage === 'over') return false;
  return actor.job.runId === id && actor.job.fence === fence;
}

/** Whether the actor has a job, and this plan or apply is not it: the token of a plan writes nothing of the apply. */
export function isAnotherJob(actor: Actor, phaseId: string): boolean {
  return actor.kind === 'agent' && actor.job?.phaseId !== phaseId;
}

/**
 * Whoever may queue such a run may end it and carry it out; breaking one off needs more.
 * @param carries whether the agent asks that has taken it
 */
export function runPermissions(run: Run, permissions: WorkspacePermissions, carries = false): RunPermissions {
  const apply = permissions['can-queue-apply'];
  const handles = run.parameters['plan-only'] ? permissions['can-queue-run'] : apply;
  return {
    apply,
    cancel: handles,
    comment: permissions['can-queue-run'],
    forceCancel: apply && permissions['can-update'],
    carryOut: handles || carries,
  };
}

/**
 * Whether somebody asks for another run than the one that they carry out, or are asked about. An assessment is there for
 * those alone who carry it out.
 */
function isForeign(actor: Actor, run: Pick<Run, 'id' | 'operation'>): boolean {
  if (actor.kind === 'agent') return actor.job?.runId !== run.id || actor.job.isReader;
  return isAssessment(run) || (actor.kind === 'task' && actor.runId !== run.id);
}

/** Finds a run and asks whether the actor may, in one. */
export class RunFinder {
  readonly #database: Database;
  readonly #workspaces: WorkspaceFinder;

  constructor(database: Database, workspaces: WorkspaceFinder) {
    this.#database = database;
    this.#workspaces = workspaces;
  }

  /** @throws 404 when there is none, or the actor may not */
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
   * Returns whether the run is being applied and `writer` is its agent. If the run has no agent, every writer counts.
   */
  async isAppliedBy(db: Queries, id: string, writer: Identifier): Promise<boolean> {
    const run = await store.findRun(db, id);
    if (run?.status !== 'applying') return false;
    return run.agentId === null || (writer.type === 'agents' && writer.id === run.agentId);
  }

  /** The same, of something that belongs to a run. @throws 404 */
  async owner<T extends { readonly runId: string }>(actor: Actor, owned: T | undefined): Promise<T> {
    const run = owned && (await store.findRun(this.#database, owned.runId));
    if (owned === undefined || run === undefined || isForeign(actor, run)) throw notFound();
    await this.#workspaces.find(actor, { id: run.workspaceId }, 'can-read-run');
    return owned;
  }

  /** Of runs in one organization, those whose workspace lets the actor see them, in their order. */
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
