import type { Clock } from '../../../lib/clock.ts';
import { PeriodicTask } from '../../../lib/periodic-task.ts';
import type { Database } from '../../../storage/index.ts';
import type { WorkspaceHooks } from '../hooks/hooks.ts';
import * as lockStore from '../lock/store.ts';
import * as store from './recoverable-store.ts';

/**
 * So many workspaces in one sweep, and so many steps for each: the next sweep goes on.
 * @limit deleted workspaces that one sweep frees, workspaces -> the rest waits for the next
 */
const MAX_WORKSPACES = 100;
/** @limit steps of a sweep for each of them, steps -> the rest waits for the next */
const MAX_STEPS = 100;

const MINUTE = 60_000;
const YEAR = 365 * 24 * 3_600_000;
/**
 * Of the history of locks at a time.
 * @limit entries of the history of locks that one sweep forgets, entries -> the rest waits for the next
 */
const MAX_EVENTS = 1000;

/** What the purge works with. */
export interface WorkspacePurgeOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly hooks: WorkspaceHooks;
  /** Told of a workspace that could not be removed; the others are. */
  readonly report: (error: unknown) => void;
}

/** Removes deleted workspaces for good once their time is over, and what is too old of the history of locks. */
export class WorkspacePurge {
  readonly #options: WorkspacePurgeOptions;

  /** A sweep a minute. */
  readonly background: PeriodicTask;

  constructor(options: WorkspacePurgeOptions) {
    this.#options = options;
    this.background = PeriodicTask.every(MINUTE, () => this.sweep(), options.report);
  }

  /** In bounded steps. Several nodes may sweep at the same time: each step can be taken twice. */
  async sweep(): Promise<void> {
    const { clock, database, report } = this.#options;
    for (const workspaceId of await store.duePurges(database, clock(), MAX_WORKSPACES)) {
      await this.#remove(workspaceId).catch(report);
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

/** Whether there is no more of it, after so many steps as one sweep takes. */
async function finished(step: () => Promise<boolean>): Promise<boolean> {
  for (let taken = 0; taken < MAX_STEPS; taken++) {
    if (await step()) return true;
  }
  return false;
}
