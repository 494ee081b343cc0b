import type { Keyring, Queries } from '../../../storage/index.ts';
import type { RunTask, WorkspaceTask } from './run-task.ts';
import { TaskSealing } from './sealing.ts';
import * as store from './store.ts';
import * as workspaceTaskStore from './workspace-task-store.ts';

/** Finds the run tasks of a workspace. Callers check the permissions. */
export class RunTaskResolver {
  readonly #sealing: TaskSealing;

  constructor(keyring: Keyring) {
    this.#sealing = new TaskSealing(keyring);
  }

  /** Returns the enabled tasks of the workspace and of its whole organization, with the workspace's own assignments. */
  async tasksOf(
    db: Queries,
    { organizationId, workspaceId }: { readonly organizationId: string; readonly workspaceId: string },
  ): Promise<{ tasks: RunTask[]; own: WorkspaceTask[] }> {
    const rows = await store.runTasksForWorkspace(db, organizationId, workspaceId);
    if (rows.length === 0) return { tasks: [], own: [] };
    const own = await workspaceTaskStore.tasksOfWorkspace(db, workspaceId);
    return { tasks: rows.map((row) => store.taskOf(row, this.#sealing)), own };
  }

  /** Returns the current task. Returns undefined if it does not exist. */
  async findTask(db: Queries, id: string): Promise<RunTask | undefined> {
    const row = await store.findRunTask(db, id);
    return row && store.taskOf(row, this.#sealing);
  }
}
