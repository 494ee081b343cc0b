import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { conflict } from '../../jsonapi/errors.ts';
import type { Actor, Organizations, UserActor } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../../workspace/index.ts';
import type { EventDetails } from '../event/event.ts';
import type { EventLog } from '../event/event-log.ts';
import type { ForkApproval, PullCommit } from '../fork/approval.ts';
import * as store from '../fork/store.ts';
import * as links from '../link/store.ts';
import { findRepository } from '../repository/store.ts';
import { detailsOf } from './store.ts';

const NEVER =
  'The organization does not plan pull requests from forks. An owner can change that with its setting fork-plans';
const NO_REPOSITORY = 'The workspace follows no repository yet. Check its VCS settings';
const NO_PULL = 'The repository has no open pull request of this number, or the server has not seen it yet';
const NO_FORK = 'The pull request is not from a fork, so it needs no approval';

export interface ForkApprovalsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly finder: WorkspaceFinder;
  readonly organizations: Pick<Organizations, 'settingsOf'>;
  readonly events: Pick<EventLog, 'add'>;
}

/** Approvals of single commits of pull requests from forks, whose plans run the code of strangers. */
export class ForkApprovals {
  readonly #options: ForkApprovalsOptions;

  constructor(options: ForkApprovalsOptions) {
    this.#options = options;
  }

  /**
   * Approves the newest commit of a pull request, and lets the workspace decide about it again. A later commit needs
   * another approval. Approving twice is harmless.
   * @throws 404 without the permission to queue runs; 403 if the actor is no user; 409 if there is nothing to approve
   */
  async approve(actor: Actor, workspaceId: string, number: number, commitId: string): Promise<ForkApproval> {
    const { clock, database, finder } = this.#options;
    const { organizationId } = await finder.find(actor, { id: workspaceId }, 'can-queue-run');
    if (actor.kind !== 'user') throw new AppError('forbidden', 'Only a user can approve a commit. Use a user token');
    return database.transaction(async (tx) => {
      const { commit, pull } = await this.#approvable(tx, { organizationId, workspaceId }, number, commitId);
      const known = await store.findApproval(tx, workspaceId, commit);
      if (known !== undefined) return known;
      const now = clock();
      const approval = newApproval(actor, workspaceId, commit, now);
      if (await store.insertApproval(tx, approval)) await this.#decideAgain(tx, organizationId, approval, pull);
      return approval;
    });
  }

  async #approvable(
    tx: Transaction,
    { organizationId, workspaceId }: { readonly organizationId: string; readonly workspaceId: string },
    pullNumber: number,
    commitId: string,
  ) {
    const repositoryId = (await links.findLink(tx, workspaceId))?.repositoryId;
    if (!repositoryId) throw conflict(NO_REPOSITORY);
    const pull = await store.findPull(tx, repositoryId, pullNumber);
    if (pull?.state !== 'open') throw conflict(NO_PULL);
    if (pull.isFork === 0) throw conflict(NO_FORK);
    const settings = await this.#options.organizations.settingsOf(tx, organizationId);
    if (settings?.['fork-plans'] !== 'approved') throw conflict(NEVER);
    if (pull.headId !== commitId) {
      throw conflict(`The newest commit of the pull request is ${pull.headId}. Review and approve that one`);
    }
    return { commit: { repositoryId, pullNumber, commitId }, pull };
  }

  /** Adds an event for this workspace only. */
  async #decideAgain(tx: Transaction, organizationId: string, approval: ForkApproval, pull: store.ForkPull) {
    const { workspaceId, repositoryId, commitId, createdAt } = approval;
    const repository = await findRepository(tx, repositoryId);
    if (repository === undefined) throw conflict(NO_REPOSITORY);
    const details = (await detailsOf(tx, approval, pull.headRef)) ?? unknownDetails(approval, pull);
    const event = {
      ...{ id: prefixedId('ve', createdAt), organizationId, repositoryId, workspaceId, details },
      ...{ kind: 'pull' as const, ref: pull.headRef, beforeId: null, afterId: commitId },
      target: new URL(repository.gitUrl).host,
    };
    await this.#options.events.add(tx, event, createdAt);
  }
}

function newApproval(actor: UserActor, workspaceId: string, commit: PullCommit, now: number): ForkApproval {
  return {
    ...{ id: prefixedId('vfa', now), workspaceId, ...commit, createdAt: now },
    ...{ approvedBy: actor.id, approvedByName: actor.username },
  };
}

/** Details if the event by which the commit came was deleted. */
function unknownDetails({ pullNumber: number }: ForkApproval, { baseRef, isDraft }: store.ForkPull): EventDetails {
  const texts = { title: '', body: '', url: '' };
  const pull = { number, ...texts, baseRef, isFork: true, isDraft: isDraft === 1, mergeBaseId: null };
  return { sender: null, compareUrl: null, pull };
}
