import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CheckpointAnswer, CheckpointStep } from './checkpoint-worker.ts';

/** Pages in the log (of 4 KiB) at which it is written into the database. */
const LOG_PAGES = 4000;
/** Looking at the log costs 4 µs, so not each commit does. */
const COMMITS_BETWEEN_LOOKS = 32;

export interface CheckpointerOptions {
  readonly file: string;
  pagesInLog(): number;
  /** Runs the action while nobody writes and everything committed is durable. */
  exclusively(action: () => Promise<void>): Promise<void>;
  diskFailed(cause: unknown): void;
  report(error: unknown): void;
}

/** Keeps the log short, from a thread of its own that is started when first needed. */
export class Checkpointer {
  readonly #options: CheckpointerOptions;
  #worker: Worker | undefined;
  #running: Promise<void> | undefined;
  #commits = 0;
  #limit = LOG_PAGES;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
  }

  /** To be called after each commit, while it is still the committer's turn. */
  afterCommit(): void {
    if (++this.#commits % COMMITS_BETWEEN_LOOKS !== 0 || this.#running) return;
    if (this.#options.pagesInLog() < this.#limit) return;
    this.#running = this.#checkpoint()
      .catch((error) => this.#options.report(error))
      .finally(() => {
        this.#running = undefined;
      });
  }

  async close(): Promise<void> {
    await this.#running;
    if (this.#worker) await this.#ask(this.#worker, 'close');
  }

  async #checkpoint(): Promise<void> {
    const worker = this.#startedWorker();
    // Most of the work, while others write; then the little that came meanwhile, while nobody does.
    await this.#ask(worker, 'copy');
    await this.#options.exclusively(async () => {
      await this.#ask(worker, 'restart');
      // Not at zero when a reader or another process held it up: then it is tried again later.
      this.#limit = this.#options.pagesInLog() + LOG_PAGES;
    });
  }

  #startedWorker(): Worker {
    if (this.#worker) return this.#worker;
    // This module is TypeScript in a clone and JavaScript in the package; so is the worker's.
    const module = new URL(`checkpoint-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(module, { workerData: { file: this.#options.file }, execArgv: [] });
    // A thread that broke is replaced at the next checkpoint.
    worker.on('error', () => {
      this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  async #ask(worker: Worker, step: CheckpointStep): Promise<void> {
    // An idle worker keeps no process alive, a working one does.
    worker.ref();
    worker.postMessage(step);
    const [answer] = (await once(worker, 'message')) as [CheckpointAnswer];
    worker.unref();
    if (answer.error === undefined) return;
    const error = new Error(`the database's log could not be written back (${step}): ${answer.error}`);
    if (answer.diskFailed) this.#options.diskFailed(error);
    throw error;
  }
}
