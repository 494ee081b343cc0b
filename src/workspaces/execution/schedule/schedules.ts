import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { alreadyTaken, conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, principalIn, takingName } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../../workspace/index.ts';
import { setScheduleAuthor } from '../approval/authors.ts';
import { nextTime } from './cron.ts';
import { listShown, type ShownIn, shownOf } from './list-store.ts';
import { listOutcomes, removeOutcomes } from './outcome-store.ts';
import { changesRuns, NEW_SCHEDULE, nextSettings, startsAgain } from './rules.ts';
import type { Schedule, ScheduleOwner, ScheduleSettings, ShownOutcome, ShownSchedule } from './schedule.ts';
import type { ScheduleAccess } from './schedule-access.ts';
import type { ScheduleInput } from './schema.ts';
import * as store from './store.ts';
import * as taskStore from './task-store.ts';

/** @limit schedules of a workspace or a project, schedules -> 422 */
const MAX_SCHEDULES = 20;

/** Dependencies of `Schedules`. */
export interface SchedulesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly workspaces: WorkspaceFinder;
  readonly access: ScheduleAccess;
}

/** Schedules of workspaces and projects: their settings, and the results of their occurrences. */
export class Schedules {
  readonly #options: SchedulesOptions;

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  /**
   * Lists the schedules of a project; or those that act in a workspace, its own ones first.
   * @throws 404 if the actor may not see the owner
   */
  async list(actor: Actor, owner: ScheduleOwner, page: Page): Promise<Slice<ShownSchedule>> {
    const { access, database, workspaces } = this.#options;
    if (owner.workspaceId === null) {
      await access.owner(actor, owner, 'read');
      return listShown(database, owner, page);
    }
    const { projectId } = await workspaces.find(actor, { id: owner.workspaceId }, 'can-read-settings');
    return listShown(database, { workspaceId: owner.workspaceId, projectId }, page);
  }

  /** Finds a schedule. @throws 404 if it does not exist, or the actor may not see its owner */
  async show(actor: Actor, id: string): Promise<ShownSchedule> {
    return this.#shown(await this.#options.access.toRead(actor, id));
  }

  /**
   * Creates a schedule.
   * @throws 404 unless the actor may change the settings of the owner and do what the schedule does; 422 for invalid
   *   values, a name that is taken, and too many schedules
   */
  async create(actor: Actor, owner: ScheduleOwner, input: ScheduleInput): Promise<ShownSchedule> {
    const { access, clock, database } = this.#options;
    const { organizationId } = await access.owner(actor, owner, 'update');
    const now = clock();
    const settings = nextSettings(NEW_SCHEDULE, input, now);
    await access.requireOperation(actor, owner, organizationId, settings.operation);
    const nextAt = settings.paused ? null : (nextTime(settings, now) ?? null);
    const created = { id: prefixedId('sched', now), organizationId, ...owner, ...settings, nextAt, createdAt: now };
    await database.transaction(async (tx) => {
      if ((await store.countSchedules(tx, owner)) >= MAX_SCHEDULES) throw tooMany(owner);
      if ((await store.insertSchedule(tx, created)) === undefined) throw alreadyTaken('name');
      await setScheduleAuthor(tx, created.id, principalIn(actor, organizationId));
    });
    return this.#shown({ ...created, distributedTo: '', occurredAt: null, firedAt: null });
  }

  /**
   * Changes a schedule. A change of its times, its operation or its pause drops what has not started yet.
   * @throws 404 unless the actor may change it: only a pause needs no permission to do what the schedule does; 422 for
   *   invalid values
   */
  async update(actor: Actor, id: string, input: ScheduleInput): Promise<ShownSchedule> {
    const { access, clock, database } = this.#options;
    const found = await access.toStop(actor, id);
    const now = clock();
    if (!onlyPauses(input)) {
      for (const operation of new Set([found.operation, input.operation ?? found.operation])) {
        await access.requireOperation(actor, found, found.organizationId, operation);
      }
    }
    const change = async (tx: Transaction) => {
      const current = await store.claimSchedule(tx, id);
      if (current === undefined) throw notFound();
      // Permissions were checked for the operation that was found.
      if (current.operation !== found.operation) throw conflict('The schedule was changed meanwhile. Try again');
      const settings = nextSettings(current, input, now);
      await store.setSettings(tx, id, settings);
      if (changesRuns(current, settings)) {
        await setScheduleAuthor(tx, id, principalIn(actor, current.organizationId));
      }
      return startsAgain(current, settings)
        ? this.#startAgain(tx, current, settings, now)
        : { ...current, ...settings };
    };
    return this.#shown(await takingName(() => database.transaction(change)));
  }

  /**
   * Deletes a schedule: pauses it, and deletes its outcomes in bounded steps. Runs that it started continue.
   * @throws 404 unless the actor may change it
   */
  async delete(actor: Actor, id: string): Promise<void> {
    const { access, clock, database } = this.#options;
    await access.toStop(actor, id);
    await database.transaction(async (tx) => {
      const current = await store.claimSchedule(tx, id);
      if (current === undefined) throw notFound();
      const settings = { ...current, paused: true };
      await store.setSettings(tx, id, settings);
      await this.#startAgain(tx, current, settings, clock());
    });
    while (await removeOutcomes(database, id));
    await database.transaction((tx) => store.removeSchedule(tx, id));
  }

  /**
   * Excludes workspaces from a schedule of their project, or includes them again.
   * @throws 404 if the actor may not see the schedule or change the settings of a workspace; 422 if a workspace is not
   *   in its project
   */
  async setExcluded(actor: Actor, id: string, workspaceIds: readonly string[], excluded: boolean): Promise<void> {
    const { access, database, workspaces } = this.#options;
    const { operation, organizationId, projectId } = await access.toRead(actor, id);
    const ids = [...new Set(workspaceIds)];
    for (const workspaceId of ids) {
      const workspace = await workspaces.find(actor, { id: workspaceId }, 'can-update');
      if (projectId === null || workspace.projectId !== projectId) throw elsewhere(workspace.name);
      if (excluded) continue;
      await access.requireOperation(actor, { workspaceId, projectId: null }, organizationId, operation);
    }
    await database.transaction(async (tx) => {
      if ((await store.claimSchedule(tx, id)) === undefined) throw notFound();
      for (const workspaceId of ids) {
        if (!excluded) await store.include(tx, id, workspaceId);
        else await store.exclude(tx, id, workspaceId);
        if (excluded) await taskStore.removeTask(tx, id, workspaceId);
      }
    });
  }

  /**
   * Lists the results of a schedule, newest first, without those in workspaces that the actor may not see.
   * @param workspaceId limits them to one workspace
   */
  async outcomes(actor: Actor, id: string, workspaceId: string | undefined, page: Page): Promise<Slice<ShownOutcome>> {
    const { access, database, workspaces } = this.#options;
    const { organizationId } = await access.toRead(actor, id);
    const { items, total } = await listOutcomes(database, id, workspaceId, page);
    const ids = [...new Set(items.map((outcome) => outcome.workspaceId))];
    const views = ids.length === 0 ? [] : await workspaces.readable(actor, organizationId, ids);
    const readable = new Set(views.filter(({ permissions }) => permissions['can-read-run']).map((view) => view.id));
    return { items: items.filter((outcome) => readable.has(outcome.workspaceId)), total };
  }

  /** Drops what has not started yet, and computes the next time again. */
  async #startAgain(tx: Transaction, current: Schedule, settings: ScheduleSettings, now: number): Promise<Schedule> {
    const nextAt = settings.paused ? null : (nextTime(settings, now) ?? null);
    const next = { ...current, ...settings, nextAt, distributedTo: '', firedAt: null };
    await taskStore.clearSchedule(tx, current.id);
    await store.setProgress(tx, current.id, next);
    return next;
  }

  #shown(schedule: Schedule): Promise<ShownSchedule> {
    const shownIn: ShownIn = { workspaceId: schedule.workspaceId };
    return shownOf(this.#options.database, schedule, shownIn);
  }
}

/** Returns whether a change does nothing but stop the schedule. */
function onlyPauses(input: ScheduleInput): boolean {
  const { paused, ...others } = input;
  return paused === true && Object.keys(others).length === 0;
}

function tooMany({ workspaceId }: ScheduleOwner) {
  const owner = workspaceId === null ? 'project' : 'workspace';
  const detail = `A ${owner} can have at most ${MAX_SCHEDULES} schedules. Delete a schedule first`;
  return unprocessable([{ detail }]);
}

function elsewhere(workspace: string) {
  const detail = `The workspace ${workspace} is not in the project of this schedule`;
  return unprocessable([{ detail, pointer: '/data' }]);
}
