import { MOST_TIMED_STEPS } from '../lib/job/limits.ts';

/** Duration of a step; times are ms since the start of the job. */
export interface Timing {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly ok: boolean;
}

/** Measures the steps of a job for its trace. */
export class Timings {
  readonly #began = performance.now();
  readonly #steps: Timing[] = [];

  get steps(): readonly Timing[] {
    return this.#steps;
  }

  /** Milliseconds since the start of the job. */
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

/** Wraps the named calls so that they are measured. The log is not, because it is sent all the time. */
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
