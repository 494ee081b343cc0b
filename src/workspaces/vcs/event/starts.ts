import type { Clock } from '../../../lib/clock.ts';
import { InTurn } from '../../../lib/in-turn.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { CommitRuns, IngressAttributes } from '../hooks/commit-runs.ts';
import * as linkStore from '../link/store.ts';
import { type Candidate, decide, type Occasion, refused, type Verdict } from '../verdict/decide.ts';
import type { Check } from '../verdict/words.ts';
import * as store from './store.ts';

/** A decided verdict of one workspace. */
export interface Decision {
  readonly workspaceId: string;
  readonly candidate: Candidate;
  readonly verdict: Verdict;
  /** Answer about the changed files. */
  readonly files: Check | undefined;
}

/** Commit whose files are stored. */
export interface StoredCommit {
  readonly archiveId: string;
  readonly source: string;
  readonly message: string;
  readonly ingress: IngressAttributes;
}

/** Dependencies of `Starts`. */
export interface StartsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly runs: () => CommitRuns;
}

/**
 * Stores the verdict of a workspace and starts its run, in one transaction. A commit runs once in a workspace for each
 * kind of event, on any number of nodes and after any crash: the row `vcs_run` is unique.
 */
export class Starts {
  readonly #options: StartsOptions;
  readonly #turns = new InTurn();

  constructor(options: StartsOptions) {
    this.#options = options;
  }

  /**
   * Waits for the turn of the repository: all runs of a commit count as uses of one blob, so that parallel transactions
   * would only conflict.
   * @param commit present if the verdict is to run
   * @param outdated ids of runs of older commits of the pull request, which are canceled
   */
  store(
    event: store.EventRow,
    occasion: Occasion,
    decision: Decision,
    commit: StoredCommit | undefined,
    outdated: readonly string[],
  ): Promise<void> {
    return this.#turns.run(event.repositoryId, () => this.#store(event, occasion, decision, commit, outdated));
  }

  async #store(
    event: store.EventRow,
    occasion: Occasion,
    decision: Decision,
    commit: StoredCommit | undefined,
    outdated: readonly string[],
  ): Promise<void> {
    const { clock, database, runs } = this.#options;
    const { workspaceId, verdict } = decision;
    await database.transaction(async (tx) => {
      const link = await linkStore.findLink(tx, workspaceId);
      if (link?.repositoryId !== event.repositoryId) return;
      if (await store.hasVerdict(tx, event.id, workspaceId)) return;
      const now = clock();
      const { final, runId } =
        verdict.outcome === 'skipped' || commit === undefined
          ? { final: verdict, runId: null }
          : await this.#start(tx, event, occasion, decision, commit, now);
      const detail = JSON.stringify(final);
      await store.insertVerdict(tx, { eventId: event.id, workspaceId, outcome: final.outcome, detail, runId }, now);
      if (outdated.length > 0) await runs().cancelOutdated(tx, outdated, now);
    });
  }

  async #start(
    tx: Transaction,
    { id: eventId, kind }: store.EventRow,
    occasion: Occasion,
    { workspaceId, candidate, verdict, files }: Decision,
    { archiveId, source, message, ingress }: StoredCommit,
    now: number,
  ): Promise<{ final: Verdict; runId: string | null }> {
    const key = { workspaceId, commitId: ingress.commitSha, kind };
    const pullNumber = ingress.pullRequestNumber;
    // Fetching the commit took time, in which an owner may have taken the connection from the project.
    const isWithdrawn = (await linkStore.withdrawnWorkspaces(tx, [workspaceId])).has(workspaceId);
    if (isWithdrawn) return { final: decide(occasion, { ...candidate, isWithdrawn }, files), runId: null };
    if (!(await store.reserveRun(tx, key, { eventId, pullNumber }, now))) {
      return { final: decide(occasion, { ...candidate, ranCommit: true }, files), runId: null };
    }
    const speculative = verdict.outcome === 'speculative';
    const started = await this.#options
      .runs()
      .start(tx, { workspaceId, archiveId, source, speculative, untrusted: verdict.untrusted, message, ingress }, now);
    if ('refusal' in started) {
      await store.releaseRun(tx, key);
      return { final: refused(verdict, started.refusal), runId: null };
    }
    await store.setRun(tx, key, started.runId);
    return { final: verdict, runId: started.runId };
  }
}
