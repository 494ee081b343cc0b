import type { Database, Queries } from '../../../../storage/index.ts';
import type { Actor } from '../../../tenancy/index.ts';
import type { Approval } from '../../approval/approval.ts';
import { approvalsOfRuns } from '../../approval/approval-store.ts';
import {
  type ApprovalCount,
  approvalState,
  approvalStates,
  type ViewedApprovals,
  viewerOf,
} from '../../approval/approvals.ts';
import type { RunFinder, RunView } from '../finder.ts';
import { commentsOf } from '../history/event-store.ts';
import { findListedRuns } from '../list/list-store.ts';

/** Approval as a list shows it. */
export interface ListedApproval extends Approval {
  readonly comment: string | null;
  /** Whether a rule counts it; null once the apply has started, because the rules decide nothing any more. */
  readonly counts: boolean | null;
  /** Why no rule counts it; null if one does. */
  readonly refusal: string | null;
}

/** Approvals of one run, and the rules that need them. */
export interface ApprovalList {
  readonly run: RunView;
  readonly approvals: readonly ListedApproval[];
  /** Undefined if no rule applies to the run now. */
  readonly state: ViewedApprovals | undefined;
}

/** Reads the approvals of runs. */
export class RunApprovals {
  readonly #database: Database;
  readonly #finder: RunFinder;

  constructor(database: Database, finder: RunFinder) {
    this.#database = database;
    this.#finder = finder;
  }

  /** Returns the approvals of a run, oldest first. @throws 404 if the actor may not see the run */
  async list(actor: Actor, runId: string): Promise<ApprovalList> {
    const run = await this.#finder.find(actor, runId);
    const [stored, state, comments] = await Promise.all([
      approvalsOfRuns(this.#database, [runId]),
      approvalState(this.#database, run, viewerOf(actor)),
      commentsOf(this.#database, runId),
    ]);
    const bodies = new Map(comments.map(({ id, body }) => [id, body]));
    const refusals = new Map((state?.approvals ?? []).map(({ id, refusal }) => [id, refusal]));
    const approvals = stored
      .filter(({ revokedAt }) => revokedAt === null)
      .map((approval) => ({
        ...approval,
        comment: approval.commentId === null ? null : (bodies.get(approval.commentId) ?? null),
        counts: state === undefined ? null : refusals.get(approval.id) === null,
        refusal: refusals.get(approval.id) ?? null,
      }));
    return { run, approvals, state };
  }
}

/**
 * Returns how many approvals each run has and needs, by run id. Runs to which no rule applies, and runs that do not wait
 * for their apply, are missing.
 */
export async function approvalsOf(db: Queries, runIds: readonly string[]): Promise<ReadonlyMap<string, ApprovalCount>> {
  const runs = await findListedRuns(db, runIds);
  const states = await approvalStates(db, runs);
  return new Map([...states].map(([id, { required, given }]) => [id, { required, given }]));
}
