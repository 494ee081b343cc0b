import type { BackgroundTask, BackgroundWork, Leadership } from '../../lib/background/background-work.ts';
import { PeriodicTask } from '../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../lib/background/task-definition.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/index.ts';
import type { CommitArchiveStore } from './archive/archives.ts';
import { removeOldEvents } from './event/store.ts';
import { removeOldDeliveries } from './hook/store.ts';
import { addMissingLinks } from './link/store.ts';
import { removeClosedPulls } from './look-up/store.ts';
import { removeOldReports } from './report/store.ts';
import { removeUnusedRepositories } from './repository/store.ts';

const DAY = 24 * 3_600_000;
/** @limit time for which deliveries of webhooks are kept, ms -> they are deleted */
const DELIVERIES_KEPT = 10 * DAY;
/** @limit time for which events of repositories and their verdicts are kept, ms -> they are deleted */
const EVENTS_KEPT = 30 * DAY;
/** @limit time for which closed pull requests are kept, ms -> they are deleted */
const PULLS_KEPT = 30 * DAY;
/** @limit time for which reports at providers are kept, ms -> a pull request without a change for so long gets a new comment */
const REPORTS_KEPT = 180 * DAY;
/** Rows that one step deletes of each kind. */
const STEP = 200;
const PAUSE = 100;
const REST = 3_600_000;

const HOUSEKEEPING: TaskDefinition = {
  name: 'vcs-housekeeping',
  description:
    'Deletes old events, deliveries, reports and files of repositories, and adds missing links of workspaces.',
  runsOn: 'leader',
  period: REST,
};

/** Deletes data of repositories that is no longer needed, and adds missing links, in bounded steps. */
export class VcsHousekeeping implements BackgroundWork {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #archives: CommitArchiveStore;
  readonly #steps: PeriodicTask;

  constructor(database: Database, clock: Clock, archives: CommitArchiveStore, report: (error: unknown) => void) {
    this.#database = database;
    this.#clock = clock;
    this.#archives = archives;
    const step = async () => ((await this.step()) ? PAUSE : REST);
    this.#steps = new PeriodicTask({ task: HOUSEKEEPING, step, first: REST / 60, afterFailure: REST, report });
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#steps.tasks;
  }

  start(leadership?: Leadership): void {
    this.#steps.start(leadership);
  }

  stop(): Promise<void> {
    return this.#steps.stop();
  }

  /** Runs one step. Returns whether there is more to do at once. */
  async step(): Promise<boolean> {
    const now = this.#clock();
    const db = this.#database;
    const done = [
      await addMissingLinks(db, now, STEP),
      await removeOldDeliveries(db, now - DELIVERIES_KEPT, STEP),
      await removeOldEvents(db, now - EVENTS_KEPT, STEP),
      await removeClosedPulls(db, now - PULLS_KEPT, STEP),
      await removeOldReports(db, now - REPORTS_KEPT, STEP),
      await this.#archives.removeUnused(STEP),
      await removeUnusedRepositories(db, now - EVENTS_KEPT, STEP),
    ];
    return done.some((count) => count === STEP);
  }
}
