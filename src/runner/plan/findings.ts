import type { CheckOutcome, Findings } from '../ports.ts';
import type { CheckJson, ResourceChange } from './plan-json.ts';

const OUTCOMES: readonly CheckOutcome[] = ['pass', 'fail', 'error', 'unknown'];

/**
 * Counts the findings of a refresh-only plan. Moved resources, data sources and outputs are not drift, because no
 * managed object has changed.
 */
export class FindingsCounter {
  readonly #checks = { pass: 0, fail: 0, error: 0, unknown: 0 };
  #drifted = 0;
  #gone = 0;
  #there = 0;

  get findings(): Findings {
    return {
      resourcesDrifted: this.#drifted,
      // A deleted resource counts as drifted, but is not among the resources that exist.
      resourcesUndrifted: Math.max(0, this.#there - (this.#drifted - this.#gone)),
      checks: { ...this.#checks },
    };
  }

  /** Counts a resource that differs from the state. */
  drift({ mode, change: { actions } }: ResourceChange): void {
    if (mode !== 'managed' || !actions.some((action) => action !== 'no-op' && action !== 'read')) return;
    this.#drifted += 1;
    if (actions.includes('delete')) this.#gone += 1;
  }

  /** Counts a resource that exists. */
  found(mode: unknown): void {
    if (mode === 'managed') this.#there += 1;
  }

  /** Counts each instance of a check; the check itself if it has no instances. */
  check({ status, instances = [] }: CheckJson): void {
    const told = instances.length === 0 ? [status] : instances.map((instance) => instance.status);
    for (const word of told) this.#checks[OUTCOMES.find((outcome) => outcome === word) ?? 'unknown'] += 1;
  }
}
