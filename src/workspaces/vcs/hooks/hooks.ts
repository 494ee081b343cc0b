import type { CommitRuns } from './commit-runs.ts';

/** The part of modules above this one in repositories. */
export interface VcsExtension {
  readonly commitRuns?: CommitRuns;
}

/** Hooks that modules above fill by `extend` during wiring, before the first event. By default no run starts. */
export class VcsHooks {
  #extension: Required<VcsExtension> = {
    commitRuns: {
      start: async () => ({ refusal: 'This server executes no runs' }),
      withRuns: async () => new Set(),
      cancelOutdated: async () => {},
    },
  };

  extend(extension: VcsExtension): void {
    this.#extension = { ...this.#extension, ...extension };
  }

  get commitRuns(): CommitRuns {
    return this.#extension.commitRuns;
  }
}
