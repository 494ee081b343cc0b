import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CheckpointAnswer, CheckpointStep } from './checkpoint-worker.ts';

/** Length of the log in pages of 4 KiB that starts a checkpoint. */
const LOG_PAGES = 4000;
/** Reading the length of the log costs 4 µs, so not every commit does it. */
const COMMITS_BETWEEN_LOOKS = 32;

export interface CheckpointerOptions {
  readonly file: string;
  pagesInLog(): number;
  /** Runs the action while nothing is written and all commits are durable. */
  exclusively(action: () => Promise<void>): Promise<void>;
  diskFailed(cause: unknown): void;
  report(error: unknown): void;
}

/** Keeps the log short with checkpoints in a worker thread, which is started on demand. */
export class Checkpointer {
  readonly #options: CheckpointerOptions;
  #worker: Worker | undefined;
  #running: Promise<void> | undefined;
  #commits = 0;
  #limit = LOG_PAGES;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
  }

  /** Must be called after each commit, while the committer still holds the mutex. */
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
    // Most of the work happens while others write, and the small rest while writes are blocked.
    await this.#ask(worker, 'copy');
    await this.#options.exclusively(async () => {
      await this.#ask(worker, 'restart');
      // The log is not empty if a reader or another process blocked the checkpoint. It is then tried again later.
      this.#limit = this.#options.pagesInLog() + LOG_PAGES;
    });
  }

  #startedWorker(): Worker {
    if (this.#worker) return this.#worker;
    // This module is TypeScript in the sources and JavaScript in the package, and so is the worker.
    const module = new URL(`checkpoint-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(module, { workerData: { file: this.#options.file }, execArgv: [] });
    // A failed thread is replaced at the next checkpoint.
    worker.on('error', () => {
      this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  async #ask(worker: Worker, step: CheckpointStep): Promise<void> {
    // An idle worker does not keep the process alive, and a working one does.
    worker.ref();
    worker.postMessage(step);
    const [answer] = (await once(worker, 'message')) as [CheckpointAnswer];
    worker.unref();
    if (answer.error === undefined) return;
    const error = new Error(`the checkpoint of the database's write-ahead log failed (${step}): ${answer.error}`);
    if (answer.diskFailed) this.#options.diskFailed(error);
    throw error;
  }
}
