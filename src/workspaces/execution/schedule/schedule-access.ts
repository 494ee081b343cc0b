import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import {
  type Actor,
  accessTo,
  grantIn,
  organizationWideAccess,
  type Projects,
  requirePermission,
  unite,
  type WorkspacePermission,
  workspacePermissions,
} from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../../workspace/index.ts';
import type { Schedule, ScheduledOperation, ScheduleOwner } from './schedule.ts';
import { findSchedule } from './store.ts';

/** Dependencies of `ScheduleAccess`. */
export interface ScheduleAccessOptions {
  readonly database: Database;
  readonly workspaces: WorkspaceFinder;
  readonly projects: Projects;
}

/** Permission that a user needs besides the one to change settings, because the schedule acts without asking anyone. */
const NEEDED: Readonly<Record<ScheduledOperation, WorkspacePermission>> = {
  plan: 'can-queue-run',
  apply: 'can-queue-apply',
  refresh: 'can-queue-apply',
  drift: 'can-manage-assessments',
};

/** Finds schedules and their owners, and checks permissions in the same step. */
export class ScheduleAccess {
  readonly #options: ScheduleAccessOptions;

  constructor(options: ScheduleAccessOptions) {
    this.#options = options;
  }

  /** Finds a schedule that the actor may see. @throws 404 otherwise */
  async toRead(actor: Actor, id: string): Promise<Schedule> {
    const schedule = await this.#find(id);
    await this.owner(actor, schedule, 'read');
    return schedule;
  }

  /** Finds a schedule that the actor may change without starting work: pause or delete. @throws 404 otherwise */
  async toStop(actor: Actor, id: string): Promise<Schedule> {
    const schedule = await this.#find(id);
    await this.owner(actor, schedule, 'update');
    return schedule;
  }

  /** Checks that the actor may see the owner or change its settings. @throws 404 otherwise */
  async owner(
    actor: Actor,
    { workspaceId, projectId }: ScheduleOwner | Schedule,
    right: 'read' | 'update',
  ): Promise<{ readonly organizationId: string }> {
    if (workspaceId === null) {
      return this.#options.projects.find(actor, projectId ?? '', right === 'read' ? 'can-read' : 'can-update');
    }
    const permission = right === 'read' ? 'can-read-settings' : 'can-update';
    return this.#options.workspaces.find(actor, { id: workspaceId }, permission);
  }

  /**
   * Checks that the actor may do by themselves what the schedule does: in the workspace, or in every workspace of the
   * project.
   * @throws 404 otherwise, and for an organization token, which starts no runs
   */
  async requireOperation(
    actor: Actor,
    { workspaceId, projectId }: ScheduleOwner | Schedule,
    organizationId: string,
    operation: ScheduledOperation,
  ): Promise<void> {
    if (actor.kind === 'organization') throw notFound();
    const { database, workspaces } = this.#options;
    if (workspaceId !== null) return void (await workspaces.find(actor, { id: workspaceId }, NEEDED[operation]));
    const inProject = await accessTo(database, actor, organizationId, { id: '', projectId: projectId ?? '' });
    const access = unite(organizationWideAccess(grantIn(actor, organizationId)), inProject);
    const policy = { allowsDestroyPlan: false, allowsForceDelete: false };
    requirePermission(workspacePermissions(access, policy), NEEDED[operation]);
  }

  async #find(id: string): Promise<Schedule> {
    const schedule = await findSchedule(this.#options.database, id);
    if (schedule === undefined) throw notFound();
    return schedule;
  }
}
