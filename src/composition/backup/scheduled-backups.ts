import { once } from 'node:events';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { BackupAttempts, nextBackup, type Schedule } from '../../backup/index.ts';
import type { Config } from '../../config/index.ts';
import type { BackgroundTask, BackgroundWork, Leadership } from '../../lib/background/background-work.ts';
import { PeriodicTask } from '../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../lib/background/task-definition.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/index.ts';
import type { BackupAnswer } from './backup-worker.ts';

interface ScheduledBackupsOptions {
  readonly config: Config;
  readonly schedule: Schedule;
  /** Workspace database, which records backups. */
  readonly database: Database;
  /** Clock that all nodes share. */
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Interval of checks whether a backup is due, milliseconds. */
const LOOK = 5_000;

const SCHEDULE: TaskDefinition = {
  name: 'scheduled-backup',
  description: 'Starts a backup when the schedule says that one is due.',
  runsOn: 'leader',
  period: LOOK,
};
/** Time that an aborted backup has to clean up, milliseconds. */
const STOP_TIMEOUT_MS = 5_000;

/** Returns undefined without a schedule. */
export function backupWork(config: Config, database: Database, clock: Clock, logger: Logger): BackgroundWork[] {
  const schedule = config.backup?.schedule;
  return schedule ? [new ScheduledBackups({ config, schedule, database, clock, logger })] : [];
}

/** Creates scheduled backups in a separate thread, which reads the databases and encrypts. */
class ScheduledBackups implements BackgroundWork {
  readonly #options: ScheduledBackupsOptions;
  readonly #attempts: BackupAttempts;
  readonly #looks: PeriodicTask;
  #worker: Worker | undefined;

  constructor(options: ScheduledBackupsOptions) {
    this.#options = options;
    this.#attempts = new BackupAttempts(options.database, options.clock);
    const report = (err: unknown, task: string) => options.logger.error({ err, task }, 'backup');
    this.#looks = new PeriodicTask({
      task: SCHEDULE,
      step: () => this.#look(),
      first: LOOK,
      afterFailure: LOOK,
      report,
    });
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#looks.tasks;
  }

  start(leadership?: Leadership): void {
    this.#looks.start(leadership);
  }

  /** Aborts a running backup. */
  async stop(): Promise<void> {
    await this.#looks.stop();
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = once(worker, 'exit');
    worker.ref();
    worker.postMessage('stop');
    await Promise.race([ended, sleep(STOP_TIMEOUT_MS)]);
    await worker.terminate();
  }

  async #look(): Promise<number> {
    if (this.#worker || (await this.#attempts.isUnderWay())) return LOOK;
    const { schedule, clock } = this.#options;
    if (nextBackup(schedule, await this.#attempts.scheduled(), clock()) <= clock()) this.#begin();
    return LOOK;
  }

  #begin(): void {
    const { config, logger } = this.#options;
    // Both this module and the thread's are TypeScript in a clone and JavaScript in the package.
    const module = new URL(`backup-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(module, { workerData: { config }, execArgv: [], name: 'backup' });
    worker.unref();
    this.#worker = worker;
    let answer: BackupAnswer | undefined;
    worker.on('message', (message: BackupAnswer) => {
      answer = message;
    });
    worker.on('error', (error) => {
      answer = { failed: error.message };
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      tell(logger, answer ?? { failed: 'its thread exited unexpectedly' });
    });
  }
}

function tell(logger: Logger, answer: BackupAnswer): void {
  if ('failed' in answer) {
    logger.error({ reason: answer.failed }, 'the scheduled backup failed; it will be retried');
    return;
  }
  const { missing, seconds, unremoved, ...made } = answer.made;
  const milliseconds = Math.round(seconds * 1000);
  logger.info({ ...made, milliseconds }, 'backup created');
  if (unremoved !== undefined) logger.error({ reason: unremoved }, 'failed to remove older backups');
  if (missing.length > 0)
    logger.error(
      { missing: missing.slice(0, 20), count: missing.length },
      'blobs that rows refer to are missing from the store',
    );
}
