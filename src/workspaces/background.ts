/** Something that is done again and again beside all requests. */
export interface Job {
  /** Milliseconds between the end of one round and the beginning of the next. */
  readonly every: number;
  readonly run: () => Promise<void>;
}

/** Does the jobs until it is stopped, each on its own and never twice at the same time. */
export class Background {
  readonly #jobs: readonly Job[];
  readonly #report: (error: unknown) => void;
  readonly #timers = new Map<Job, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  /** @param report told of a round that failed; the next one comes all the same */
  constructor(jobs: readonly Job[], report: (error: unknown) => void) {
    this.#jobs = jobs;
    this.#report = report;
  }

  start(): void {
    for (const job of this.#jobs) this.#schedule(job);
  }

  /** Waits for the rounds that are under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  #schedule(job: Job): void {
    if (!this.#stopped) this.#timers.set(job, setTimeout(() => this.#round(job), job.every).unref());
  }

  #round(job: Job): void {
    const round = job
      .run()
      .catch(this.#report)
      .finally(() => {
        this.#running.delete(round);
        this.#schedule(job);
      });
    this.#running.add(round);
  }
}
