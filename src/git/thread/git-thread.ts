import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { GitError, type GitTransport } from '../git-remote.ts';
import { errorOf, failureOf } from './failure.ts';
import type { FromThread, Job, ToThread } from './messages.ts';
import { type Pace, PacedReader } from './paced-reader.ts';

/** Size of the heap's young generation, MB. The default is several times larger and is never returned. */
const YOUNG_MB = 8;

/** Limits of a thread. */
export interface ThreadLimits {
  readonly heapMb: number;
  /** Milliseconds without a message while the thread computes. */
  readonly answerMs: number;
  /** Milliseconds of a job. */
  readonly jobMs: number;
  readonly pace: Pace;
}

/** Receives what a job of a thread needs and gives. */
export interface JobOwner {
  /** @param submodule URL of a submodule; undefined for the repository itself */
  transportTo(submodule: string | undefined): GitTransport;
  items(items: readonly unknown[]): void;
  opened(): void;
  chunk(chunk: Uint8Array): void;
  done(result: unknown): void;
  /** @param fault set if the failure is a fault of this program */
  failed(error: GitError, fault: Error | undefined): void;
}

type Response = Extract<ToThread, { response: number }>;

/** Handle in the main thread of a worker thread with one job at a time. It does not keep the process alive. */
export class GitThread {
  readonly #worker: Worker;
  readonly #limits: ThreadLimits;
  readonly #readers = new Map<number, PacedReader>();
  #owner: JobOwner | undefined;
  #isEnded = false;
  /** Number of things for which the thread waits: chunks of responses, and the reader of an archive. */
  #awaited = 0;
  #answer: NodeJS.Timeout | undefined;
  #job: NodeJS.Timeout | undefined;

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
    // This module is TypeScript in a clone and JavaScript in the package, and so is the worker's.
    const module = new URL(`git-worker${extname(import.meta.url)}`, import.meta.url);
    this.#worker = new Worker(module, {
      execArgv: [],
      name: 'git',
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.end(crashed(error), error));
    this.#worker.on('exit', () => this.end(crashed(), new Error('a worker thread of Git exited unexpectedly')));
  }

  /** Bytes of the responses of the last job. */
  receivedBytes = 0;

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Starts a job. The thread must have none. */
  start(job: Job, owner: JobOwner): void {
    this.#owner = owner;
    this.receivedBytes = 0;
    this.#job = setTimeout(() => this.end(tooLong(), undefined), this.#limits.jobMs).unref();
    this.#send({ start: job });
    this.#expect();
  }

  /** Asks for the next chunk of an archive. */
  next(): void {
    this.#awaited--;
    this.#send({ next: true });
    this.#expect();
  }

  /** Terminates the thread, with its job if it has one. */
  end(error = new GitError('unreachable', 'The thread was terminated.'), fault?: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    void this.#worker.terminate();
    this.#finish()?.failed(error, fault);
  }

  /** Ends the job. Returns its owner. */
  #finish(): JobOwner | undefined {
    clearTimeout(this.#job);
    clearTimeout(this.#answer);
    for (const reader of this.#readers.values()) reader.close();
    this.#readers.clear();
    this.#awaited = 0;
    const owner = this.#owner;
    this.#owner = undefined;
    return owner;
  }

  #receive(message: FromThread): void {
    this.#expect();
    if ('request' in message) this.#open(message);
    else if ('take' in message) void this.#pass(message.take);
    else if ('leave' in message) this.#close(message.leave);
    else if ('items' in message) this.#owner?.items(message.items);
    else if ('opened' in message) this.#wait(() => this.#owner?.opened());
    else if ('chunk' in message) this.#wait(() => this.#owner?.chunk(message.chunk));
    else if ('done' in message) this.#finish()?.done(message.done);
    else this.#fail(message);
  }

  #fail({ failed, unexpected }: Extract<FromThread, { failed: unknown }>): void {
    this.#finish()?.failed(errorOf(failed), unexpected === undefined ? undefined : new Error(unexpected));
  }

  #open({ request, submodule, path, body }: Extract<FromThread, { request: number }>): void {
    const transport = this.#owner?.transportTo(submodule);
    if (transport) this.#readers.set(request, new PacedReader(transport(path, body), this.#limits.pace));
  }

  /** Sends the next chunk of a response to the thread. */
  async #pass(response: number): Promise<void> {
    this.#awaited++;
    const message = await this.#chunkOf(response);
    if (this.#readers.has(response)) {
      this.#awaited--;
      this.#send(message, 'chunk' in message && message.chunk ? [message.chunk.buffer] : []);
      this.#expect();
    }
  }

  async #chunkOf(response: number): Promise<Response> {
    try {
      const chunk = await this.#readers.get(response)?.next();
      this.receivedBytes += chunk?.length ?? 0;
      // Chunks often share memory, which cannot be transferred in parts.
      return { response, chunk: chunk && new Uint8Array(chunk) };
    } catch (error) {
      return { response, failure: failureOf(error) };
    }
  }

  #close(response: number): void {
    this.#readers.get(response)?.close();
    this.#readers.delete(response);
  }

  #wait(tell: () => void): void {
    this.#awaited++;
    this.#expect();
    tell();
  }

  #send(message: ToThread, memory: readonly ArrayBuffer[] = []): void {
    if (!this.#isEnded) this.#worker.postMessage(message, memory);
  }

  /** Limits the time until the next message, as long as the thread waits for nothing. */
  #expect(): void {
    clearTimeout(this.#answer);
    if (!this.#owner || this.#awaited > 0) return;
    this.#answer = setTimeout(() => this.end(tooLong(), undefined), this.#limits.answerMs).unref();
  }
}

const tooLong = (): GitError => new GitError('limit', 'The repository takes too long to process.');

function crashed(error?: Error): GitError {
  const isMemory = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? new GitError('limit', 'The repository needs too much memory to process.', { cause: error })
    : new GitError('unreachable', 'The repository could not be processed. It is tried again.', { cause: error });
}
