import type { BackgroundTask, BackgroundWork, Leadership } from '../../../lib/background/background-work.ts';
import { PeriodicTask } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { TenancyHooks } from '../hooks/hooks.ts';
import type { Actor } from '../permissions/actor.ts';
import type { Organizations } from './organizations.ts';
import * as store from './removal-store.ts';

const SWEEP: TaskDefinition = {
  name: 'organization-removal',
  description: 'Continues the deletion of organizations.',
  runsOn: 'leader',
  period: 60_000,
};
/** Steps that run before the response. They suffice for an ordinary organization; a background task does the rest. */
const STEPS_OF_REQUEST = 50;

export interface OrganizationRemovalOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly hooks: TenancyHooks;
  /** Called when a removal fails. The removal is retried. */
  readonly report: (error: unknown) => void;
}

/**
 * Deletes organizations with everything in them. The first transaction hides the organization. Many small transactions
 * then delete its rows, so that other transactions can run between them.
 */
export class OrganizationRemoval implements BackgroundWork {
  readonly #options: OrganizationRemovalOptions;
  readonly #sweeps: PeriodicTask;
  #stopped = false;

  constructor(options: OrganizationRemovalOptions) {
    this.#options = options;
    this.#sweeps = PeriodicTask.every(SWEEP, () => this.sweep(), options.report);
  }

  /**
   * Deletes an organization.
   * @throws 404 without permission
   */
  async delete(actor: Actor, name: string): Promise<void> {
    const { clock, database, organizations } = this.#options;
    const { id } = await organizations.find(actor, name, 'can-destroy');
    const marked = await database.transaction((tx) => store.markRemoved(tx, id, clock()));
    if (marked === undefined) throw notFound();
    await this.#purge(id, STEPS_OF_REQUEST);
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#sweeps.tasks;
  }

  /** Starts a background task that continues unfinished removals every minute. */
  start(turns?: Leadership): void {
    this.#sweeps.start(turns);
  }

  /** Stops the task. Unfinished removals continue after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#sweeps.stop();
  }

  /** Continues removals that were started here, on another node or before a restart. Each step is idempotent. */
  async sweep(): Promise<void> {
    for (const { id } of await store.listRemoved(this.#options.database)) {
      await this.#purge(id, Number.POSITIVE_INFINITY).catch(this.#sweeps.report);
    }
  }

  async #purge(id: string, steps: number): Promise<void> {
    for (let taken = 0; taken < steps && !this.#stopped; taken++) {
      if (await this.#step(id)) return;
    }
  }

  /** Runs one step. Returns true when the organization is deleted. */
  async #step(id: string): Promise<boolean> {
    const { database } = this.#options;
    const workspaces = await store.workspacesOfRemoved(database, id);
    if (workspaces.length > 0) {
      for (const workspace of workspaces) await this.#purgeRemains(workspace);
      if (!this.#stopped) await database.transaction((tx) => store.removeWorkspaces(tx, workspaces));
      return false;
    }
    if (!(await this.#options.hooks.organizationCleanup(id))) return false;
    if (await database.transaction((tx) => store.removeBatch(tx, id))) return false;
    await database.transaction((tx) => store.removeOrganization(tx, id));
    return true;
  }

  async #purgeRemains(workspaceId: string): Promise<void> {
    for (const { purge } of this.#options.hooks.workspaceCleanups) {
      while (purge && !this.#stopped && !(await purge(workspaceId)));
    }
  }
}
