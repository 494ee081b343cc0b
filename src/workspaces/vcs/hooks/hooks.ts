import type { CommitArchives } from './commit-archives.ts';
import type { CommitRuns } from './commit-runs.ts';
import { type Forwarding, ForwardingError } from './forwarding.ts';
import type { RunResults } from './run-results.ts';

/** Runs of commits and requests through agents, by the module above; archives of commits, by a part of this module that is created later. */
export interface VcsExtension {
  readonly commitRuns?: CommitRuns;
  readonly runResults?: RunResults;
  readonly commitArchives?: CommitArchives;
  readonly forwarding?: Forwarding;
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
    runResults: { of: async () => [], changedResources: async () => undefined },
    commitArchives: {
      whyNot: async () => NOTHING_FETCHED,
      ensure: async () => ({ refusal: NOTHING_FETCHED }),
    },
    forwarding: {
      fetchThrough: () => () =>
        Promise.reject(new ForwardingError('is not contacted, because this server has no agents')),
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

  get forwarding(): Forwarding {
    return this.#extension.forwarding;
  }

  get runResults(): RunResults {
    return this.#extension.runResults;
  }
}
