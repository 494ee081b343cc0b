import type { Keyring, Queries } from '../../../storage/index.ts';
import type { RunTask, WorkspaceTask } from './run-task.ts';
import { TaskSealing } from './sealing.ts';
import * as store from './store.ts';
import * as workspaceTaskStore from './workspace-task-store.ts';

/** Who judges the runs of a workspace. Whether anybody may know, others have asked. */
export class RunTaskResolver {
  readonly #sealing: TaskSealing;

  constructor(keyring: Keyring) {
    this.#sealing = new TaskSealing(keyring);
  }

  /** The tasks that are switched on, for the workspace or for all of its organization, and by which it has them itself. */
  async tasksOf(
    db: Queries,
    { organizationId, workspaceId }: { readonly organizationId: string; readonly workspaceId: string },
  ): Promise<{ tasks: RunTask[]; own: WorkspaceTask[] }> {
    const rows = await store.runTasksForWorkspace(db, organizationId, workspaceId);
    if (rows.length === 0) return { tasks: [], own: [] };
    const own = await workspaceTaskStore.tasksOfWorkspace(db, workspaceId);
    return { tasks: rows.map((row) => store.taskOf(row, this.#sealing)), own };
  }

  /** As it is now; undefined when it is gone. */
  async findTask(db: Queries, id: string): Promise<RunTask | undefined> {
    const row = await store.findRunTask(db, id);
    return row && store.taskOf(row, this.#sealing);
  }
}
