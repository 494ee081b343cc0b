import { availableParallelism } from 'node:os';
import type { BackgroundWork } from '../../../lib/background-work.ts';
import { IntakeBudget } from './intake-budget.ts';
import { IntakeThread } from './intake-thread-handle.ts';
import { RemoteIntake } from './remote-intake.ts';
import type { IntakeKeys } from './state-intake.ts';

/** @limit threads that read states: one less than processors, at most, threads -> states wait for one another */
const MAX_THREADS = 4;
/** @limit bytes of states that wait for the threads, all together, bytes -> their uploads are read no further until there is room */
const WAITING_BYTES = 16_777_216;
/** A thread that has nothing to do for so long is ended: it takes memory. Milliseconds. */
const IDLE_MS = 60_000;
/** @limit the heap of a thread that reads states, MB -> it is ended: its uploads are answered 503, and can be repeated */
const HEAP_MB = 256;
/** @limit what a thread that reads states may take for a chunk, those before it included, ms -> as above */
const ANSWER_MS = 30_000;

/** Bounds of the threads. */
export interface ThreadLimits {
  readonly waitingBytes: number;
  readonly idleMs: number;
  readonly heapMb: number;
  readonly answerMs: number;
}

const LIMITS: ThreadLimits = {
  waitingBytes: WAITING_BYTES,
  idleMs: IDLE_MS,
  heapMb: HEAP_MB,
  answerMs: ANSWER_MS,
};

/**
 * Threads that states pass through, started when the first comes. What comes of a hostile state stays in its thread: one that
 * breaks, or does not answer, is replaced, and the uploads that were in it can be repeated.
 */
export class IntakeThreads implements BackgroundWork {
  readonly #report: (error: unknown) => void;
  readonly #threads = new Set<IntakeThread>();
  readonly #limits: ThreadLimits;
  readonly #budget: IntakeBudget;
  #isStopping = false;

  /** @param report told of a thread that broke */
  constructor(report: (error: unknown) => void, limits: ThreadLimits = LIMITS) {
    this.#report = report;
    this.#limits = limits;
    this.#budget = new IntakeBudget(limits.waitingBytes);
  }

  start(): void {}

  /** Threads end with the states that are in them: requests in flight may still bring some. */
  stop(): void {
    this.#isStopping = true;
    for (const thread of this.#threads) if (thread.states === 0) thread.end();
  }

  /** To be closed. */
  open(keys: IntakeKeys): RemoteIntake {
    return new RemoteIntake(this.#leastBusy(), this.#budget, keys);
  }

  #leastBusy(): IntakeThread {
    let found: IntakeThread | undefined;
    for (const thread of this.#threads) if (!found || thread.states < found.states) found = thread;
    const isNeeded = found === undefined || (found.states > 0 && this.#threads.size < maxThreads());
    return isNeeded ? this.#started() : (found as IntakeThread);
  }

  #started(): IntakeThread {
    const thread = new IntakeThread({
      limits: this.#limits,
      idleMs: () => (this.#isStopping ? 0 : this.#limits.idleMs),
      ended: (error) => {
        this.#threads.delete(thread);
        if (error) this.#report(error);
      },
    });
    this.#threads.add(thread);
    return thread;
  }
}

const maxThreads = () => Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1));
