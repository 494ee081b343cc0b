import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceView } from '../../workspace/index.ts';
import { NEW_WORKSPACE_TASK, workspaceTaskAfter } from './rules.ts';
import type { WorkspaceTask } from './run-task.ts';
import type { WorkspaceTaskInput } from './schema.ts';
import * as taskStore from './store.ts';
import * as store from './workspace-task-store.ts';

/** @limit run tasks of a workspace, tasks -> 422 */
const MAX_TASKS = 20;
const POINTER = '/data/relationships/task';

/** Service for the run tasks of a workspace. Changes require `can-manage-run-tasks` on the workspace. */
export class WorkspaceTasks {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #finder: WorkspaceFinder;

  constructor(database: Database, clock: Clock, finder: WorkspaceFinder) {
    this.#database = database;
    this.#clock = clock;
    this.#finder = finder;
  }

  /** Lists assignments in order of creation. @throws 404 without permission */
  async list(actor: Actor, workspaceId: string, page: Page): Promise<Slice<WorkspaceTask>> {
    await this.#readable(actor, workspaceId);
    return store.listWorkspaceTasks(this.#database, workspaceId, page);
  }

  /**
   * Finds an assignment.
   * @throws 404 if it does not exist or without permission
   */
  async find(actor: Actor, workspaceId: string, id: string): Promise<WorkspaceTask> {
    await this.#readable(actor, workspaceId);
    return this.#known(workspaceId, id);
  }

  /**
   * Assigns a run task to a workspace.
   * @throws 404 without permission, 422 for invalid attributes, an unknown task, and too many tasks
   */
  async create(actor: Actor, workspaceId: string, taskId: string, input: WorkspaceTaskInput): Promise<WorkspaceTask> {
    const workspace = await this.#manageable(actor, workspaceId);
    const settings = workspaceTaskAfter(NEW_WORKSPACE_TASK, input);
    const now = this.#clock();
    const made = { id: prefixedId('wstask', now), workspaceId, taskId, ...settings, createdAt: now };
    await this.#database.transaction(async (tx) => {
      const task = await taskStore.findRunTask(tx, taskId);
      if (task?.organizationId !== workspace.organizationId) throw refused('Run task not found');
      if (await store.isTaskAttached(tx, workspaceId, taskId)) throw refused('The workspace already has this run task');
      if ((await store.countWorkspaceTasks(tx, workspaceId)) >= MAX_TASKS) {
        throw unprocessable([{ detail: `A workspace has at most ${MAX_TASKS} run tasks` }]);
      }
      if (!(await store.insertWorkspaceTask(tx, made))) throw notFound();
    });
    return made;
  }

  /**
   * Updates an assignment. Existing runs keep their tasks.
   * @throws 404 without permission, 422 for invalid attributes
   */
  async update(actor: Actor, workspaceId: string, id: string, input: WorkspaceTaskInput): Promise<WorkspaceTask> {
    await this.#manageable(actor, workspaceId);
    const current = await this.#known(workspaceId, id);
    const next = { ...current, ...workspaceTaskAfter(current, input) };
    if (!(await store.updateWorkspaceTask(this.#database, next))) throw notFound();
    return next;
  }

  /**
   * Deletes an assignment.
   * @throws 404 if it does not exist or without permission
   */
  async delete(actor: Actor, workspaceId: string, id: string): Promise<void> {
    await this.#manageable(actor, workspaceId);
    await this.#known(workspaceId, id);
    await store.removeWorkspaceTask(this.#database, id);
  }

  async #known(workspaceId: string, id: string): Promise<WorkspaceTask> {
    const task = await store.findWorkspaceTask(this.#database, workspaceId, id);
    if (task === undefined) throw notFound();
    return task;
  }

  #manageable(actor: Actor, id: string): Promise<WorkspaceView> {
    return this.#finder.find(actor, { id }, 'can-manage-run-tasks');
  }

  /** Actors who manage the run tasks of all workspaces need no other permission on a workspace. */
  #readable(actor: Actor, id: string): Promise<WorkspaceView> {
    return this.#finder.find(actor, { id }, 'can-read-settings').catch((error: unknown) => {
      if (error instanceof AppError && error.kind === 'not-found') return this.#manageable(actor, id);
      throw error;
    });
  }
}

function refused(detail: string) {
  return unprocessable([{ detail, pointer: POINTER }]);
}
