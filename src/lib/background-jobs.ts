import { Repeated } from './repeated.ts';

/** Something that is done again and again beside all requests. */
export interface Job {
  /** Milliseconds between the end of one round and the beginning of the next. */
  readonly every: number;
  readonly run: () => Promise<void>;
}

/** Does the jobs until it is stopped, each on its own and never twice at the same time. */
export class Background {
  readonly #jobs: readonly Repeated[];

  /** @param report told of a round that failed; the next one comes all the same */
  constructor(jobs: readonly Job[], report: (error: unknown) => void) {
    this.#jobs = jobs.map(({ every, run }) => {
      return new Repeated({ step: () => run().then(() => every), first: every, afterFailure: every, report });
    });
  }

  start(): void {
    for (const job of this.#jobs) job.start();
  }

  /** Waits for the rounds that are under way. */
  async stop(): Promise<void> {
    await Promise.all(this.#jobs.map((job) => job.stop()));
  }
}
