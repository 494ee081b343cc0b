import { availableParallelism } from 'node:os';
import type { BackgroundWork } from '../../../lib/background/background-work.ts';
import { IntakeBudget } from './intake-budget.ts';
import { IntakeThread } from './intake-thread-handle.ts';
import { RemoteIntake } from './remote-intake.ts';
import type { IntakeKeys } from './state-intake.ts';

/** @limit threads that process states (processors minus one, at most), threads -> states share the threads */
const MAX_THREADS = 4;
/**
 * @limit total size of the parts of states that wait for the threads, bytes -> the server stops reading their uploads
 * until others are processed (back-pressure)
 */
const WAITING_BYTES = 16_777_216;
/** Milliseconds without work after which a thread is terminated, to free its memory. */
const IDLE_MS = 60_000;
/**
 * @limit heap of a thread that processes states, MB -> the thread is terminated; its uploads get 503 and can be
 * repeated
 */
const HEAP_MB = 256;
/**
 * @limit time of a thread for a chunk of a state, with all chunks before it, ms -> the thread is terminated; its
 * uploads are answered with 503 and can be repeated
 */
const ANSWER_MS = 30_000;

/** Limits of the threads. */
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
 * Pool of worker threads that process states, started on demand. It isolates hostile states: a thread that crashes or
 * does not respond is replaced, and its uploads can be repeated.
 */
export class IntakeThreads implements BackgroundWork {
  readonly tasks = [];
  readonly #report: (error: unknown) => void;
  readonly #threads = new Set<IntakeThread>();
  readonly #limits: ThreadLimits;
  readonly #budget: IntakeBudget;
  #isStopping = false;

  /** @param report called with the error of a thread that crashed */
  constructor(report: (error: unknown) => void, limits: ThreadLimits = LIMITS) {
    this.#report = report;
    this.#limits = limits;
    this.#budget = new IntakeBudget(limits.waitingBytes);
  }

  start(): void {}

  /** Terminates each thread after its last state, because requests in flight may still send chunks. */
  stop(): void {
    this.#isStopping = true;
    for (const thread of this.#threads) if (thread.states === 0) thread.end();
  }

  /** Opens a state in the thread with the fewest states. The caller must close it. */
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
