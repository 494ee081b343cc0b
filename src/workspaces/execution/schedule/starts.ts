import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import { scheduleAskers } from '../approval/authors.ts';
import type { Beginning } from '../assessment/beginning.ts';
import { byServer } from '../configuration-version/commits.ts';
import type { UsableConfigurations } from '../configuration-version/usable.ts';
import type { Reconciler } from '../job/run-reconciler.ts';
import type { RunParameters } from '../run/run.ts';
import type { RunRequest, RunStart, StartableWorkspace } from '../run/start.ts';
import { addOutcomes, statusOfRun, unfinishedRun } from './outcome-store.ts';
import type { OutcomeStatus, Schedule } from './schedule.ts';
import * as store from './task-store.ts';

/** Time until the next try of an assessment that waits for its workspace, and of a failed start, milliseconds. */
const LATER = 600_000;
const NO_CONFIGURATION =
  'The workspace has no uploaded configuration version that can be applied. Start a first run, or upload one';

/** Dependencies of `ScheduledStarts`. */
export interface ScheduledStartsOptions {
  readonly clock: Clock;
  readonly start: RunStart;
  readonly configurations: Pick<UsableConfigurations, 'newest'>;
  readonly assessments: Pick<Beginning, 'begin'>;
}

/** Result of a task. `later`: it waits for its workspace. */
type Result =
  | { readonly status: OutcomeStatus; readonly reason: string | null; readonly runId: string | null }
  | { readonly status: 'later' };

const OPTIONS = {
  plan: { 'plan-only': true },
  apply: { 'auto-apply': true },
  refresh: { 'refresh-only': true, 'auto-apply': true },
} as const satisfies Record<string, Partial<RunParameters>>;

/**
 * Starts the tasks that are due: those of all organizations in turn, and the oldest of each first. The transaction that deletes a task starts its run and stores the
 * outcome, so that each task starts once on any number of nodes.
 */
export class ScheduledStarts implements Reconciler {
  readonly #options: ScheduledStartsOptions;

  constructor(options: ScheduledStartsOptions) {
    this.#options = options;
  }

  /** Returns tasks as `SCHEDULE/WORKSPACE`. */
  async due(db: Queries): Promise<string[]> {
    const tasks = await store.dueTasks(db, this.#options.clock());
    return tasks.map(({ scheduleId, workspaceId }) => `${scheduleId}/${workspaceId}`);
  }

  async reconcile(tx: Transaction, id: string): Promise<void> {
    const now = this.#options.clock();
    const [scheduleId = '', workspaceId = ''] = id.split('/');
    const task = await store.takeTask(tx, scheduleId, workspaceId, now);
    if (task === undefined) return;
    if (await store.isFull(tx, task.organizationId)) return void (await store.addTask(tx, task));
    const schedule = await store.actingSchedule(tx, task);
    const workspace = await this.#options.start.workspace(tx, workspaceId);
    if (schedule === undefined || workspace === undefined || !isOf(schedule, workspace)) return;
    const result = await this.#begin(tx, schedule, workspace, now);
    if (result.status === 'later') return void (await store.addTask(tx, { ...task, dueAt: now + LATER }));
    const outcome = { id: prefixedId('sco', now), workspaceId, occurredAt: task.occurredAt, createdAt: now };
    await addOutcomes(tx, schedule, [{ ...outcome, ...result }]);
  }

  async postpone(tx: Transaction, id: string): Promise<void> {
    const now = this.#options.clock();
    const [scheduleId = '', workspaceId = ''] = id.split('/');
    const task = await store.takeTask(tx, scheduleId, workspaceId, now);
    if (task !== undefined) await store.addTask(tx, { ...task, dueAt: now + LATER });
  }

  async #begin(tx: Transaction, schedule: Schedule, workspace: StartableWorkspace, now: number): Promise<Result> {
    if (workspace.refusal !== undefined) return refused(workspace.refusal);
    if (schedule.operation === 'drift') return this.#assess(tx, schedule, workspace, now);
    const earlier = await unfinishedRun(tx, schedule.id, workspace.id);
    if (earlier !== undefined) {
      return skipped(`The last run of this schedule is not over: ${earlier.id} is ${earlier.status}`);
    }
    const busy = schedule.whenBusy === 'skip' ? await busyWith(tx, workspace) : undefined;
    if (busy !== undefined) return skipped(busy);
    const configurationVersionId = await this.#options.configurations.newest(tx, workspace.id);
    if (configurationVersionId === undefined) return refused(NO_CONFIGURATION);
    const request: RunRequest = {
      ...{ configurationVersionId, source: 'lockkeeper-schedule', triggerReason: 'schedule' },
      message: `Scheduled: ${schedule.name}`,
      // The users who may edit the schedule decide. It keeps no rights of the one who created it.
      ...{ appliesBySettings: true, createdBy: byServer(workspace.id) },
      askers: await scheduleAskers(tx, schedule.id),
      speculative: schedule.operation === 'plan',
      parameters: OPTIONS[schedule.operation],
    };
    try {
      const runId = await this.#options.start.startFor(tx, workspace, request, now);
      return { status: 'started', reason: null, runId };
    } catch (error) {
      // Nothing is written yet: the workspace has too many runs that wait.
      if (error instanceof AppError && error.kind === 'conflict') return skipped(error.message);
      throw error;
    }
  }

  async #assess(tx: Transaction, { whenBusy }: Schedule, workspace: StartableWorkspace, now: number): Promise<Result> {
    const obstacle = await this.#options.assessments.begin(tx, workspace.id, null, now);
    if (obstacle === undefined) return { status: 'started', reason: null, runId: null };
    if (obstacle.kind === 'unfit') return refused(obstacle.reason);
    return whenBusy === 'queue' ? { status: 'later' } : skipped(obstacle.reason);
  }
}

/** Returns whether the workspace is still in the project of the schedule. */
function isOf({ projectId }: Schedule, workspace: StartableWorkspace): boolean {
  return projectId === null || projectId === workspace.projectId;
}

/** Returns why a run would have to wait for the workspace; undefined if it would not. */
async function busyWith(tx: Transaction, { holder }: StartableWorkspace): Promise<string | undefined> {
  if (holder === null) return undefined;
  if (holder.type !== 'runs') return `The workspace is locked by ${holder.name || holder.id}`;
  return `The workspace has an unfinished run: ${holder.id} is ${await statusOfRun(tx, holder.id)}`;
}

const refused = (reason: string): Result => ({ status: 'refused', reason, runId: null });
const skipped = (reason: string): Result => ({ status: 'skipped', reason, runId: null });
