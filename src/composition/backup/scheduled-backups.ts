import { once } from 'node:events';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { BackupAttempts, nextBackup, type Schedule } from '../../backup/index.ts';
import type { Config } from '../../config/index.ts';
import type { BackgroundWork, Leadership } from '../../lib/background-work.ts';
import type { Clock } from '../../lib/clock.ts';
import { PeriodicTask } from '../../lib/periodic-task.ts';
import type { Database } from '../../storage/index.ts';
import type { BackupAnswer } from './backup-worker.ts';

interface ScheduledBackupsOptions {
  readonly config: Config;
  readonly schedule: Schedule;
  /** Of the workspaces, where backups are noted. */
  readonly database: Database;
  /** That of all nodes. */
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How often it is looked whether one is due, milliseconds. */
const LOOK = 5_000;
/** How long one that is broken off may take to leave nothing behind, milliseconds. */
const STOP_TIMEOUT_MS = 5_000;

/** Nothing where there is no schedule. */
export function backupWork(config: Config, database: Database, clock: Clock, logger: Logger): BackgroundWork[] {
  const schedule = config.backup?.schedule;
  return schedule ? [new ScheduledBackups({ config, schedule, database, clock, logger })] : [];
}

/** Makes the backups of the schedule, in a thread of their own: the databases are read, and all of it is sealed there. */
class ScheduledBackups implements BackgroundWork {
  readonly #options: ScheduledBackupsOptions;
  readonly #attempts: BackupAttempts;
  readonly #looks: PeriodicTask;
  #worker: Worker | undefined;

  constructor(options: ScheduledBackupsOptions) {
    this.#options = options;
    this.#attempts = new BackupAttempts(options.database, options.clock);
    const report = (err: unknown) => options.logger.error({ err }, 'backup');
    this.#looks = new PeriodicTask({ step: () => this.#look(), first: LOOK, afterFailure: LOOK, report });
  }

  start(leadership?: Leadership): void {
    this.#looks.start(leadership);
  }

  /** One that is being made is broken off. */
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
    // This module is TypeScript in a clone and JavaScript in the package; so is the thread's.
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
      tell(logger, answer ?? { failed: 'its thread has ended by itself' });
    });
  }
}

function tell(logger: Logger, answer: BackupAnswer): void {
  if ('failed' in answer) {
    logger.error({ reason: answer.failed }, 'no backup was made; it is tried again');
    return;
  }
  const { missing, seconds, unremoved, ...made } = answer.made;
  const milliseconds = Math.round(seconds * 1000);
  logger.info({ ...made, milliseconds }, 'a backup was made');
  if (unremoved !== undefined) logger.error({ reason: unremoved }, 'older backups could not be removed');
  if (missing.length > 0)
    logger.error({ missing: missing.slice(0, 20), count: missing.length }, 'contents that rows name are in no store');
}
