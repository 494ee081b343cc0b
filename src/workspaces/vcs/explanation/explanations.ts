import type { GitRemote } from '../../../git/git-remote.ts';
import type { Database } from '../../../storage/index.ts';
import type { Actor, Organizations } from '../../tenancy/index.ts';
import { EventFiles } from '../event/changes.ts';
import { lastCommitOf } from '../event/store.ts';
import { findApproval } from '../fork/store.ts';
import type { CommitRuns } from '../hooks/commit-runs.ts';
import { failureOf } from '../repository/failures.ts';
import { candidateOf, type Facts } from '../verdict/candidate.ts';
import { FileMatcher } from '../verdict/changed-files.ts';
import { decide, type Verdict } from '../verdict/decide.ts';
import { type Check, check } from '../verdict/words.ts';
import { type Asked, findAsked, type Question } from './question.ts';
import { findKnownEvent, hasRunOf, type KnownEvent } from './store.ts';
import type { Target, Targets } from './target.ts';

/** Why a commit started a run in a workspace, or none. */
export interface CommitExplanation {
  readonly workspaceId: string;
  readonly asked: Asked;
  readonly verdict: Verdict;
  /** Event that the server has seen; undefined if the commit never came. */
  readonly event: KnownEvent | undefined;
}

export interface ExplanationsOptions {
  readonly database: Database;
  readonly targets: Targets;
  readonly organizations: Pick<Organizations, 'settingsOf'>;
  readonly runs: () => CommitRuns;
}

/** Explains the decision about one commit in one workspace, also if the server has never seen an event of it. */
export class Explanations {
  readonly #options: ExplanationsOptions;

  constructor(options: ExplanationsOptions) {
    this.#options = options;
  }

  /**
   * Returns the stored verdict, or the one that the rules give now.
   * @throws 404 without permission; 409, 422, 429 as `Targets.with`
   */
  explain(actor: Actor, workspaceId: string, question: Question): Promise<CommitExplanation> {
    return this.#options.targets.with(actor, workspaceId, async (target) => {
      const remote = target.opened.remote(target.repository);
      const asked = await findAsked(target, remote, question);
      const event = await this.#eventOf(target, asked);
      const verdict = event?.detail
        ? (JSON.parse(event.detail) as Verdict)
        : await this.#decide(target, remote, asked, event);
      return { workspaceId, asked, verdict, event };
    });
  }

  async #eventOf({ workspace, repository }: Target, { kind, ref, commitId }: Asked): Promise<KnownEvent | undefined> {
    if (commitId === null) return undefined;
    const of = { workspaceId: workspace.id, repositoryId: repository.id, kind, ref, commitId };
    return findKnownEvent(this.#options.database, of);
  }

  async #decide(target: Target, remote: GitRemote, asked: Asked, event: KnownEvent | undefined): Promise<Verdict> {
    const { database, organizations } = this.#options;
    const { workspace, repository } = target;
    const settings = await organizations.settingsOf(database, workspace.organizationId);
    const { defaultBranch } = repository;
    const occasion = { ...asked, defaultBranch, forkPlans: settings?.['fork-plans'] ?? 'never' };
    const candidate = candidateOf(workspace, await this.#factsOf(target, asked));
    return decide(occasion, candidate, await this.#filesOf(target, remote, asked, event));
  }

  async #factsOf({ workspace, repository }: Target, { kind, commitId, pullNumber }: Asked): Promise<Facts> {
    const { database, runs } = this.#options;
    const { id: workspaceId } = workspace;
    const hasRun = (await runs().withRuns(database, [workspaceId])).has(workspaceId);
    // Without the connection there is no explanation: nobody may read the repository.
    const isWithdrawn = false;
    if (commitId === null) return { hasRun, isWithdrawn, ranCommit: false, isApproved: false };
    const ranCommit = await hasRunOf(database, { workspaceId, commitId, kind });
    const commit = { repositoryId: repository.id, pullNumber: pullNumber ?? 0, commitId };
    const isApproved = pullNumber !== null && (await findApproval(database, workspaceId, commit)) !== undefined;
    return { hasRun, isWithdrawn, ranCommit, isApproved };
  }

  async #filesOf(
    { workspace }: Target,
    remote: GitRemote,
    { kind, commitId: afterId, base }: Asked,
    event: KnownEvent | undefined,
  ): Promise<Check | undefined> {
    if (kind === 'tag' || afterId === null) return undefined;
    const before = event === undefined || kind === 'pull' ? await base() : event.beforeId;
    const last = kind === 'push' ? await lastCommitOf(this.#options.database, workspace.id) : undefined;
    const beforeId = before ?? last ?? null;
    // Without an event, a push is compared with the parent of its commit.
    if (beforeId === null && event === undefined && kind === 'push')
      return new FileMatcher('first-commit').answer(workspace.settings);
    try {
      return await new EventFiles(remote, false).answer({ beforeId, afterId }, workspace.settings);
    } catch (error) {
      // A commit that was dropped by a forced push may be gone. For an event the server gives up too.
      if (failureOf(error).isGone) return check('files-unknown');
      throw error;
    }
  }
}
