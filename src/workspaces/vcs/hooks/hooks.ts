import type { CommitRuns } from './commit-runs.ts';
import type { RunResults } from './run-results.ts';

/** The part of modules above this one in repositories. */
export interface VcsExtension {
  readonly commitRuns?: CommitRuns;
  readonly runResults?: RunResults;
}

/** Hooks that modules above fill by `extend` during wiring, before the first event. By default no run starts. */
export class VcsHooks {
  #extension: Required<VcsExtension> = {
    commitRuns: {
      start: async () => ({ refusal: 'This server executes no runs' }),
      withRuns: async () => new Set(),
      cancelOutdated: async () => {},
    },
    runResults: { of: async () => [], changedResources: async () => undefined },
  };

  extend(extension: VcsExtension): void {
    this.#extension = { ...this.#extension, ...extension };
  }

  get commitRuns(): CommitRuns {
    return this.#extension.commitRuns;
  }

  get runResults(): RunResults {
    return this.#extension.runResults;
  }
}
