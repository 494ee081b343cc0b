import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../lib/errors.ts';
import type { Answer, Request, Response } from './messages.ts';

/** Size of the heap's young generation. The default is several times larger and is never returned. */
const YOUNG_MB = 2;
/** Limits of a thread, and callbacks to its owner. */
export interface ThreadOwner {
  readonly limits: { readonly heapMb: number; readonly answerMs: number };
  /** Milliseconds without a state after which the thread is terminated. */
  idleMs(): number;
  ended(error: Error | undefined): void;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Handle in the main thread of a worker thread that processes states. It does not keep the process alive. */
export class IntakeThread {
  readonly #worker: Worker;
  readonly #owner: ThreadOwner;
  readonly #states = new Set<number>();
  #lastState = 0;
  /** Pending requests. The thread responds in order. */
  readonly #waiting: Waiting[] = [];
  #failure: Error | undefined;
  #isEnded = false;
  #patience: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(owner: ThreadOwner) {
    this.#owner = owner;
    // This module is TypeScript in a clone and JavaScript in the package, and so is the worker's.
    const module = new URL(`intake-worker${extname(import.meta.url)}`, import.meta.url);
    this.#worker = new Worker(module, {
      execArgv: [],
      name: 'states',
      resourceLimits: { maxOldGenerationSizeMb: owner.limits.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', (response: Response) => this.#answered(response));
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('a state worker thread exited unexpectedly')));
  }

  /** Number of states in the thread. */
  get states(): number {
    return this.#states.size;
  }

  /** Registers a new state and returns its number. */
  open(): number {
    clearTimeout(this.#idle);
    const state = ++this.#lastState;
    this.#states.add(state);
    return state;
  }

  /** Closes a state. Call it once, and send no requests about the state afterwards. */
  close(state: number): void {
    this.#states.delete(state);
    if (this.#isEnded) return;
    this.send({ state, close: true });
    if (this.#states.size === 0) this.#rest();
  }

  #rest(): void {
    const idleMs = this.#owner.idleMs();
    if (idleMs === 0) this.end();
    else this.#idle = setTimeout(() => this.end(), idleMs).unref();
  }

  /** Sends a message that has no response. */
  send(request: Request): void {
    this.#worker.postMessage(request);
  }

  /**
   * Sends a message and returns the response of the thread.
   * @throws AppError `unavailable` when the thread has terminated, or terminates before it responds
   */
  ask(request: Request, memory: readonly ArrayBuffer[]): Promise<Answer> {
    if (this.#isEnded) return Promise.reject(unavailable(this.#failure));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#patience ??= setTimeout(
        () => this.#end(new Error('a state worker thread does not answer')),
        this.#owner.limits.answerMs,
      );
      this.#worker.postMessage(request, memory);
    });
  }

  /** Starts the idle timer if the thread has no state. */
  end(): void {
    this.#end(undefined);
  }

  #answered({ answer, error }: Response): void {
    const waiting = this.#waiting.shift();
    if (this.#waiting.length > 0) {
      this.#patience?.refresh();
    } else {
      clearTimeout(this.#patience);
      this.#patience = undefined;
    }
    if (answer) waiting?.resolve(answer);
    else waiting?.reject(new Error(`a state could not be read: ${error}`));
  }

  #end(failure: Error | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#failure = failure;
    clearTimeout(this.#patience);
    clearTimeout(this.#idle);
    this.#owner.ended(failure);
    for (const { reject } of this.#waiting.splice(0)) reject(unavailable(failure));
    void this.#worker.terminate();
  }
}

function unavailable(cause: Error | undefined): AppError {
  return new AppError('unavailable', 'The server could not process the state. Send it again', { cause });
}
