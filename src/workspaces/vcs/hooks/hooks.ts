import type { CommitArchives } from './commit-archives.ts';
import type { CommitRuns } from './commit-runs.ts';

/** Runs of commits, by the module above; archives of commits, by a part of this module that is created later. */
export interface VcsExtension {
  readonly commitRuns?: CommitRuns;
  readonly commitArchives?: CommitArchives;
}

const NOTHING_FETCHED = 'This server fetches no repositories';

/** Hooks that modules above fill by `extend` during wiring, before the first event. By default no run starts. */
export class VcsHooks {
  #extension: Required<VcsExtension> = {
    commitRuns: {
      start: async () => ({ refusal: 'This server executes no runs' }),
      withRuns: async () => new Set(),
      cancelOutdated: async () => {},
    },
    commitArchives: {
      whyNot: async () => NOTHING_FETCHED,
      ensure: async () => ({ refusal: NOTHING_FETCHED }),
    },
  };

  extend(extension: VcsExtension): void {
    this.#extension = { ...this.#extension, ...extension };
  }

  get commitArchives(): CommitArchives {
    return this.#extension.commitArchives;
  }

  get commitRuns(): CommitRuns {
    return this.#extension.commitRuns;
  }
}
