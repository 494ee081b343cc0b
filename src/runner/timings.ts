import { MOST_TIMED_STEPS } from '../lib/job/limits.ts';

/** A step of a job: milliseconds since the job was begun. */
export interface Timing {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly ok: boolean;
}

/** How long the steps of a job take, for whoever traces it. */
export class Timings {
  readonly #began = performance.now();
  readonly #steps: Timing[] = [];

  get steps(): readonly Timing[] {
    return this.#steps;
  }

  /** Milliseconds so far. */
  get took(): number {
    return Math.round(performance.now() - this.#began);
  }

  async measure<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = this.took;
    let ok = false;
    try {
      const result = await work();
      ok = true;
      return result;
    } finally {
      if (this.#steps.length < MOST_TIMED_STEPS) this.#steps.push({ name, start, end: this.took, ok });
    }
  }
}

/** Those whose steps are worth telling: everything but the log, which passes all the time. */
export function timed<T extends object>(
  calls: T,
  timings: Timings | undefined,
  names: Readonly<Partial<Record<keyof T, string>>>,
): T {
  if (timings === undefined) return calls;
  const wrapped = Object.entries(names).map(([key, name]) => {
    const call = calls[key as keyof T] as (...args: unknown[]) => Promise<unknown>;
    return [key, (...args: unknown[]) => timings.measure(name as string, () => call(...args))];
  });
  return { ...calls, ...Object.fromEntries(wrapped) };
}
