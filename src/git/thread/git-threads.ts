import type { BackgroundWork } from '../../lib/background/background-work.ts';
import { Slots } from '../../lib/slots.ts';
import { GitError } from '../git-remote.ts';
import { GitThread, type JobOwner, type ThreadLimits } from './git-thread.ts';
import type { Job } from './messages.ts';
import type { Pace } from './paced-reader.ts';

/** @limit threads that read Git repositories, threads -> other repositories wait */
const MAX_THREADS = 2;
/** @limit threads that read Git repositories of one organization, threads -> its other repositories wait, but no others */
const MAX_THREADS_OF_OWNER = 1;
/** @limit requests to Git servers that wait for a thread, requests -> further ones fail and are tried again */
const MAX_WAITING = 1_000;
/** Milliseconds without work after which a thread is terminated, to free its memory. */
const IDLE_MS = 60_000;
/** Size of the responses of a job after which its thread is terminated at once, to free its memory. */
const LARGE_BYTES = 16_777_216;
/** @limit heap of a thread that reads Git repositories, MB -> the thread is terminated; the commit cannot be used */
const HEAP_MB = 512;
/** @limit time for which a thread computes without a result, ms -> the thread is terminated; the commit cannot be used */
const ANSWER_MS = 120_000;
/** @limit time of one request to a Git repository with its processing, ms -> the request fails; the commit cannot be used */
const JOB_MS = 900_000;
/** @limit silence of a Git server, ms -> the request fails and is tried again */
const SILENCE_MS = 30_000;
/** Milliseconds of waiting before the speed of a server counts. */
const GRACE_MS = 30_000;
/** @limit speed of a Git server after 30 s of waiting, bytes -> a slower one, per second, fails and is tried again */
const MIN_BYTES_PER_SECOND = 8_192;

/** Limits of the threads. Tests lower them. */
export interface PoolLimits extends ThreadLimits {
  readonly idleMs: number;
  readonly waiting: number;
}

const LIMITS: PoolLimits = {
  ...{ heapMb: HEAP_MB, answerMs: ANSWER_MS, jobMs: JOB_MS, idleMs: IDLE_MS, waiting: MAX_WAITING },
  pace: { silenceMs: SILENCE_MS, graceMs: GRACE_MS, bytesPerSecond: MIN_BYTES_PER_SECOND },
};

interface Waiting {
  readonly owner: string;
  readonly job: Job;
  readonly callbacks: JobOwner;
}

/** A job that waits or runs. */
export interface JobHandle {
  /** Asks for the next chunk of an archive. */
  next(): void;
  /** Ends a job that runs. It fails. */
  cancel(): void;
}

/**
 * Pool of worker threads that read Git repositories, started on demand, with a queue. It isolates hostile repositories:
 * a thread that crashes, or does not respond, is replaced and ends only its own job.
 */
export class GitThreads implements BackgroundWork {
  readonly tasks = [];
  readonly #report: (error: unknown) => void;
  readonly #limits: PoolLimits;
  readonly #slots = new Slots(MAX_THREADS, { owner: MAX_THREADS_OF_OWNER });
  readonly #waiting = new Set<Waiting>();
  readonly #busy = new Map<Waiting, GitThread>();
  /** Threads without a job, with the timers that terminate them. */
  readonly #idle = new Map<GitThread, NodeJS.Timeout>();
  #isStopped = false;

  /** @param report called with the error of a thread that crashed, and with faults of this program */
  constructor(report: (error: unknown) => void, limits: PoolLimits = LIMITS) {
    this.#report = report;
    this.#limits = limits;
  }

  /** Speed that a Git server must reach. */
  get pace(): Pace {
    return this.#limits.pace;
  }

  start(): void {}

  /** Terminates all threads. Their jobs fail. */
  stop(): void {
    this.#isStopped = true;
    for (const waiting of this.#waiting) waiting.callbacks.failed(stopped(), undefined);
    this.#waiting.clear();
    for (const thread of [...this.#busy.values(), ...this.#idle.keys()]) thread.end(stopped());
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
  }

  /**
   * Runs a job as soon as a thread is free.
   * @param owner who causes it, such as an organization: has one thread at a time
   * @throws GitError `unreachable` if too many jobs wait
   */
  run(owner: string, job: Job, callbacks: JobOwner): JobHandle {
    if (this.#isStopped) throw stopped();
    if (this.#waiting.size >= this.#limits.waiting)
      throw new GitError('unreachable', 'Too many repositories are waiting to be read. Try again later.');
    const waiting = { owner, job, callbacks };
    this.#waiting.add(waiting);
    this.#startNext();
    return {
      next: () => this.#busy.get(waiting)?.next(),
      cancel: () => this.#busy.get(waiting)?.end(new GitError('unreachable', 'The request was given up.')),
    };
  }

  /** Starts the oldest job whose owner has no other, as long as a thread is free. */
  #startNext(): void {
    for (const waiting of this.#waiting) {
      if (this.#slots.free === 0) return;
      const release = this.#slots.acquire({ owner: waiting.owner });
      if (!release) continue;
      this.#waiting.delete(waiting);
      this.#start(waiting, release);
    }
  }

  #start(waiting: Waiting, release: () => void): void {
    const thread = this.#freeThread();
    this.#busy.set(waiting, thread);
    const { callbacks } = waiting;
    const end = () => {
      this.#busy.delete(waiting);
      this.#rest(thread);
      release();
      this.#startNext();
    };
    thread.start(waiting.job, {
      transportTo: (submodule) => callbacks.transportTo(submodule),
      items: (items) => callbacks.items(items),
      opened: () => callbacks.opened(),
      chunk: (chunk) => callbacks.chunk(chunk),
      done: (result) => {
        end();
        callbacks.done(result);
      },
      failed: (error, fault) => {
        end();
        if (fault) this.#report(fault);
        callbacks.failed(error, fault);
      },
    });
  }

  #freeThread(): GitThread {
    const [thread] = this.#idle.keys();
    if (!thread) return new GitThread(this.#limits);
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    return thread;
  }

  #rest(thread: GitThread): void {
    if (thread.isEnded) return;
    // Memory outside of the heap is freed late in a thread that has nothing to do.
    if (this.#isStopped || thread.receivedBytes > LARGE_BYTES) {
      thread.end();
      return;
    }
    const timer = setTimeout(() => {
      this.#idle.delete(thread);
      thread.end();
    }, this.#limits.idleMs).unref();
    this.#idle.set(thread, timer);
  }
}

const stopped = (): GitError => new GitError('unreachable', 'The server stops.');
