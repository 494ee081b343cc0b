import { PeriodicTask } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import type { WorkspaceHooks } from '../hooks/hooks.ts';
import * as lockStore from '../lock/store.ts';
import * as store from './recoverable-store.ts';

/**
 * Limits the work of one sweep; the next sweep continues.
 * @limit deleted workspaces that one sweep purges, workspaces -> the next sweep purges the rest
 */
const MAX_WORKSPACES = 100;
/** @limit steps of a sweep for each deleted workspace, steps -> the next sweep continues */
const MAX_STEPS = 100;

const YEAR = 365 * 24 * 3_600_000;
/**
 * Number of entries that one statement deletes.
 * @limit lock history entries that one sweep deletes, entries -> the next sweep deletes the rest
 */
const MAX_EVENTS = 1000;

const SWEEP: TaskDefinition = {
  name: 'workspace-purge',
  description: 'Purges deleted workspaces after their restore period, and lock history entries after a year.',
  runsOn: 'leader',
  period: 60_000,
};

/** Dependencies of the purge. */
export interface WorkspacePurgeOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly hooks: WorkspaceHooks;
  /** Called when a workspace could not be purged. The sweep continues with the others. */
  readonly report: (error: unknown) => void;
}

/** Purges deleted workspaces after their restore period, and lock history entries after their retention. */
export class WorkspacePurge {
  readonly #options: WorkspacePurgeOptions;

  /** Sweeps once a minute. */
  readonly background: PeriodicTask;

  constructor(options: WorkspacePurgeOptions) {
    this.#options = options;
    this.background = PeriodicTask.every(SWEEP, () => this.sweep(), options.report);
  }

  /** Purges in bounded steps. Several nodes may sweep at the same time, because each step is idempotent. */
  async sweep(): Promise<void> {
    const { clock, database } = this.#options;
    for (const workspaceId of await store.duePurges(database, clock(), MAX_WORKSPACES)) {
      await this.#remove(workspaceId).catch(this.background.report);
    }
    await lockStore.removeOldLockEvents(database, clock() - YEAR, MAX_EVENTS);
  }

  async #remove(workspaceId: string): Promise<void> {
    const { database, hooks } = this.#options;
    if (!(await store.listMarkedForPurge(database, workspaceId))) return;
    for (const { purge } of hooks.dependents) {
      if (purge && !(await finished(() => purge(workspaceId)))) return;
    }
    await store.removeRecoverable(database, workspaceId);
  }
}

/** Calls the step until it returns true, at most as often as one sweep may. Returns whether everything is gone. */
async function finished(step: () => Promise<boolean>): Promise<boolean> {
  for (let taken = 0; taken < MAX_STEPS; taken++) {
    if (await step()) return true;
  }
  return false;
}
