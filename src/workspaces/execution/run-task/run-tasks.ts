import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Queries } from '../../../storage/index.ts';
import type { Sender } from '../../delivery/index.ts';
import { attributeIssue, conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Trials } from '../../platform/trials.ts';
import { type Actor, type Organizations, requireInOrganization, takingName } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceView } from '../../workspace/index.ts';
import { NEW_TASK, needsVerification, taskAfter } from './rules.ts';
import type { RunTask, WorkspaceTask } from './run-task.ts';
import type { TaskInput } from './schema.ts';
import type { TaskSealing } from './sealing.ts';
import * as store from './store.ts';
import { verificationOf } from './verification.ts';
import * as workspaceTaskStore from './workspace-task-store.ts';

/** Dependencies of the service. */
export interface RunTasksOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly finder: WorkspaceFinder;
  readonly sealing: TaskSealing;
  readonly sender: Sender;
  readonly trials: Trials;
}

/** @limit run tasks of an organization, tasks -> 422 */
const MAX_TASKS = 100;
/** @limit run tasks of an organization that run in all of its workspaces, tasks -> 422 */
const MAX_GLOBAL = 10;
/** @limit included workspaces of run tasks, workspaces -> the others are left out */
const MAX_SHOWN = 1000;

/** Assignments of tasks to workspaces that the actor may see. */
export interface Attached {
  readonly tasks: readonly WorkspaceTask[];
  readonly workspaces: readonly WorkspaceView[];
}

/**
 * Service for run tasks of an organization. An enabled task is verified first and stored only if the
 * external service responds.
 */
export class RunTasks {
  readonly #options: RunTasksOptions;

  constructor(options: RunTasksOptions) {
    this.#options = options;
  }

  /**
   * Lists tasks in order of creation; empty without permission to read them. @throws 404 if the actor may not see the
   * organization
   */
  async list(actor: Actor, organizationName: string, page: Page): Promise<Slice<RunTask>> {
    const { database, organizations, sealing } = this.#options;
    const { id, permissions } = await organizations.find(actor, organizationName, 'can-traverse');
    // Clients list tasks during other operations and abort on a 404.
    if (!permissions['can-read-run-tasks']) return { items: [], total: 0 };
    const { items, total } = await store.listRunTasks(database, id, page);
    return { items: items.map((row) => store.taskOf(row, sealing)), total };
  }

  /**
   * Finds a run task.
   * @throws 404 if it does not exist or without permission
   */
  find(actor: Actor, id: string): Promise<RunTask> {
    return this.#find(actor, id, 'can-read-run-tasks');
  }

  /** Returns the assignments of run tasks to workspaces that the actor may see. */
  async attached(actor: Actor, tasks: readonly RunTask[]): Promise<Attached> {
    const { database, finder } = this.#options;
    const [first] = tasks;
    if (first === undefined) return { tasks: [], workspaces: [] };
    const ids = tasks.map(({ id }) => id);
    const all = await workspaceTaskStore.workspaceTasksOf(database, ids, MAX_SHOWN);
    const workspaceIds = [...new Set(all.map(({ workspaceId }) => workspaceId))];
    const workspaces = await finder.readable(actor, first.organizationId, workspaceIds);
    const seen = new Set(workspaces.map(({ id }) => id));
    return { tasks: all.filter(({ workspaceId }) => seen.has(workspaceId)), workspaces };
  }

  /**
   * Creates a run task.
   * @param origin URL of this API
   * @throws 404 without permission, 422 for invalid attributes, too many tasks, and a failed verification of an
   * enabled task, 429 for too many verifications
   */
  async create(actor: Actor, organizationName: string, input: TaskInput, origin: string): Promise<RunTask> {
    const { clock, database, organizations, sealing } = this.#options;
    const organization = await organizations.find(actor, organizationName, 'can-manage-run-tasks');
    const settings = taskAfter(NEW_TASK, input);
    await this.#checkCount(database, organization.id, settings, undefined);
    const now = clock();
    const names = { id: prefixedId('task', now), organizationId: organization.id, organizationName: organization.name };
    const task = { ...names, ...settings, origin, version: 1, createdAt: now, updatedAt: now };
    if (needsVerification(undefined, settings)) await this.#verify(task);
    await takingName(() =>
      database.transaction(async (tx) => {
        await this.#checkCount(tx, organization.id, settings, undefined);
        await store.insertRunTask(tx, task, sealing);
      }),
    );
    return this.find(actor, task.id);
  }

  /**
   * Updates a run task.
   * @throws like `create`, and 409 after a concurrent change
   */
  async update(actor: Actor, id: string, input: TaskInput, origin: string): Promise<RunTask> {
    const { clock, database, sealing } = this.#options;
    const current = await this.#find(actor, id, 'can-manage-run-tasks');
    const settings = taskAfter(current, input);
    const task = { ...current, ...settings, origin, updatedAt: clock() };
    if (needsVerification(current, settings)) await this.#verify(task);
    await takingName(() =>
      database.transaction(async (tx) => {
        await this.#checkCount(tx, current.organizationId, settings, current);
        if (!(await store.updateRunTask(tx, task, sealing))) throw conflict(CHANGED);
      }),
    );
    return this.find(actor, id);
  }

  /** Deletes a task and its assignments. Results of runs stay. @throws 404 without permission */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.#find(actor, id, 'can-manage-run-tasks');
    await store.removeRunTask(this.#options.database, id);
  }

  async #find(actor: Actor, id: string, permission: 'can-read-run-tasks' | 'can-manage-run-tasks'): Promise<RunTask> {
    const { database, sealing } = this.#options;
    const row = await store.findRunTask(database, id);
    if (row === undefined) throw notFound();
    requireInOrganization(actor, row.organizationId, permission);
    return store.taskOf(row, sealing);
  }

  /**
   * Sends a test request to the URL of a run task.
   * @throws 422 if the service does not accept it, 429 after too many verifications
   */
  async #verify(task: RunTask): Promise<void> {
    const { clock, sender, trials } = this.#options;
    const { organizationId, url, hmacKey } = task;
    const message = verificationOf(task, clock());
    const sent = await trials.run(organizationId, url, () => sender.send({ url, token: hmacKey }, message));
    if (sent.outcome === 'arrived') return;
    throw unprocessable([attributeIssue('url', `Url did not accept the verification request: ${sent.reason}`)]);
  }

  /**
   * Checks the number of run tasks of an organization.
   * @throws 422 when there are too many
   */
  async #checkCount(
    db: Queries,
    organizationId: string,
    next: TaskScope,
    current: TaskScope | undefined,
  ): Promise<void> {
    const { all, global } = await store.countRunTasks(db, organizationId);
    if (current === undefined && all >= MAX_TASKS) throw tooMany(`An organization has at most ${MAX_TASKS} run tasks`);
    if (next.global.enabled && !current?.global.enabled && global >= MAX_GLOBAL) {
      throw tooMany(`At most ${MAX_GLOBAL} run tasks of an organization can run in all of its workspaces`);
    }
  }
}

type TaskScope = Pick<RunTask, 'global'>;

const CHANGED = 'The run task was changed by another request. Read it again and repeat your change';

function tooMany(detail: string) {
  return unprocessable([{ detail }]);
}
