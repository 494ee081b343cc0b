import type { Queries, Transaction } from '../../../storage/index.ts';
import type { CommitRun, CommitRuns, IngressAttributes, StartedRun } from '../../vcs/index.ts';
import { addCommit, byServer } from '../configuration-version/commits.ts';
import type { ConfigurationVersion } from '../configuration-version/configuration-version.ts';
import { boundedIngress, cut, firstLineOf } from '../configuration-version/ingress.ts';
import { cancelRun } from '../run/interruption.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import type { RunRequest, RunStart, StartableWorkspace } from '../run/start.ts';
import * as store from './store.ts';

/** @limit message of a run of a commit, bytes -> cut */
const MAX_MESSAGE = 1024;
const DELETED = 'The workspace was deleted';
const NO_ARCHIVE = 'The stored files of the commit were deleted meanwhile';
const REPLACED = 'A newer commit of the pull request replaces this run';

/** Dependencies of `StartedCommits`. */
export interface CommitRunsOptions {
  readonly start: RunStart;
  readonly stateMachine: RunStateMachine;
}

/** Starts the runs of commits that the server has seen in a repository. */
export class StartedCommits implements CommitRuns {
  readonly #options: CommitRunsOptions;

  constructor(options: CommitRunsOptions) {
    this.#options = options;
  }

  async start(
    tx: Transaction,
    { workspaceId, untrusted = false, ...commit }: CommitRun,
    now: number,
  ): Promise<StartedRun | { readonly refusal: string }> {
    const { start } = this.#options;
    const speculative = commit.speculative || untrusted;
    const workspace = await start.workspace(tx, workspaceId);
    const refusal = workspace === undefined ? DELETED : await this.refusal(tx, workspace, speculative);
    if (workspace === undefined || refusal !== undefined) return { refusal: refusal ?? DELETED };
    const version = await addCommit(tx, { ...commit, workspaceId, speculative, untrusted }, now);
    if (version === undefined) return { refusal: NO_ARCHIVE };
    const request = {
      ...requestOf(version, commit.ingress, commit.message),
      ...{ triggerReason: 'vcs', createdBy: byServer(workspaceId) },
      createdByName: boundedIngress(commit.ingress).senderUsername ?? '',
      // The people who push have no account here. The user who connects the workspace to the branch decides.
      appliesBySettings: true,
    };
    const runId = await start.startFor(tx, workspace, request, now);
    return { runId, configurationVersionId: version.id };
  }

  /** Returns why no run of the workspace can start now; undefined if one can. */
  async refusal(tx: Transaction, workspace: StartableWorkspace, speculative: boolean): Promise<string | undefined> {
    if (workspace.refusal !== undefined) return workspace.refusal;
    return speculative ? undefined : this.#options.start.fullness(tx, workspace.id);
  }

  withRuns(db: Queries, workspaceIds: readonly string[]): Promise<ReadonlySet<string>> {
    return store.workspacesWithRuns(db, workspaceIds);
  }

  async cancelOutdated(tx: Transaction, runIds: readonly string[], now: number): Promise<void> {
    const { stateMachine } = this.#options;
    // Always in the same order, so that two transactions wait for each other in one direction only.
    for (const id of runIds.toSorted()) {
      const run = await stateMachine.claim(tx, id);
      if (run === undefined || !run.parameters['plan-only']) continue;
      await cancelRun(stateMachine, tx, { ...run, cancelReason: REPLACED }, { now, actor: null });
    }
  }
}

/** Returns the parts of a run that follow from its commit. */
export function requestOf(
  { id, speculative }: Pick<ConfigurationVersion, 'id' | 'speculative'>,
  { commitMessage, commitSha }: Pick<IngressAttributes, 'commitMessage' | 'commitSha'>,
  said = commitMessage,
): Pick<RunRequest, 'configurationVersionId' | 'source' | 'message' | 'speculative'> {
  const message = cut(firstLineOf(said), MAX_MESSAGE) || `Commit ${commitSha.slice(0, 7)}`;
  return { configurationVersionId: id, source: 'tfe-configuration-version', message, speculative };
}
