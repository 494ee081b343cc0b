import { prefixedId } from '../../../../lib/ids.ts';
import type { Transaction } from '../../../../storage/index.ts';
import type { Identifier } from '../../../jsonapi/document.ts';
import { conflict } from '../../../jsonapi/errors.ts';
import type { Actor } from '../../../tenancy/index.ts';
import * as store from '../../approval/approval-store.ts';
import { approvalState, missingApprovals, type ViewedApprovals, viewerOf } from '../../approval/approvals.ts';
import { countText } from '../../approval/words.ts';
import { isQueued } from '../../lifecycle/queue.ts';
import type { ApplyChecks } from '../apply-check/apply-checks.ts';
import { refusedConfirmation } from '../apply-check/apply-checks.ts';
import type { RunOutcomes } from '../outcomes.ts';
import { afterPlan } from '../rules.ts';
import type { Run } from '../run.ts';
import * as runStore from '../store.ts';
import type { ApprovalNotes } from './notes.ts';

/**
 * Users whose approvals one run counts.
 * @limit approvals of a run, users -> 409
 */
const MAX_APPROVALS = 100;
/**
 * Every document of a run links to its events, and each approval is one.
 * @limit approvals of one run by the same user, after revoking the earlier ones, approvals -> 409
 */
const MAX_TIMES = 10;

/** Dependencies of `ApprovedConfirmation`. */
export interface ApprovedConfirmationOptions {
  readonly checks: ApplyChecks;
  readonly outcomes: RunOutcomes;
  readonly notes: ApprovalNotes;
}

/** Context of a confirmation or an approval. */
export interface Deciding {
  readonly actor: Actor;
  /** Owner of the action in the organization of the run. */
  readonly principal: Identifier;
  readonly commentId: string | null;
  readonly now: number;
}

/**
 * Confirms runs that may need approvals. A confirmation is stored until all approvals are there, and the last approval
 * then confirms the run. Every method expects `RunStateMachine.claim` before it, in the same transaction, so that two
 * approvals on two nodes follow each other.
 */
export class ApprovedConfirmation {
  readonly #options: ApprovedConfirmationOptions;

  constructor(options: ApprovedConfirmationOptions) {
    this.#options = options;
  }

  /**
   * Confirms a run. The confirmation of a user who can approve is also an approval. If approvals are missing, the run
   * waits for them.
   * @throws 409 if a check refuses the apply, or the run waits already and this user cannot approve it
   */
  async confirm(tx: Transaction, run: Run, by: Deciding): Promise<void> {
    const { checks, notes, outcomes } = this.#options;
    const confirmed = { ...run, confirmedBy: by.principal };
    const verdict = await checks.verdict(tx, confirmed);
    if (verdict.otherRefusal !== undefined) throw refusedConfirmation(verdict.otherRefusal);
    const decision = { now: by.now, actor: by.principal, commentId: by.commentId };
    if (verdict.refusal === undefined) return void (await outcomes.confirm(tx, confirmed, decision));

    const state = await approvalState(tx, run, viewerOf(by.actor));
    if (state?.viewerRefusal === undefined) await this.#approve(tx, run, by);
    else if (isConfirmed(run)) return requireRepetition(run, by.principal, state);
    const missing = (await checks.verdict(tx, confirmed)).refusal;
    if (missing === undefined) return void (await outcomes.confirm(tx, confirmed, decision));
    if (isConfirmed(run)) return;
    await runStore.updateRun(tx, confirmed, isQueued(run.status));
    await notes.begin(tx, run, missing, decision);
  }

  /**
   * Approves a run. The last approval confirms the run if a user or `auto-apply` has confirmed it.
   * @throws 409 if the approval would have no effect
   */
  async approve(tx: Transaction, run: Run, by: Deciding): Promise<void> {
    const { checks, outcomes } = this.#options;
    const state = await approvalState(tx, run, viewerOf(by.actor));
    if (state === undefined) throw conflict('No approval rule applies to the run. Confirm it instead');
    if (state.viewerRefusal !== undefined) throw conflict(withState(`${state.viewerRefusal}.`, state));
    await this.#approve(tx, run, by);
    if (!isConfirmed(run) || (await missingApprovals(tx, run)) !== undefined) return;
    if (run.confirmedBy === null) return void (await outcomes.advanceAfterPlan(tx, run, by.now));
    const refusal = await checks.refusal(tx, run);
    if (refusal === undefined) await outcomes.confirm(tx, run, { now: by.now, actor: by.principal });
    else await checks.noteRefusal(tx, run, refusal);
  }

  /** Revokes the approval of the actor. @throws 409 if there is none */
  async revoke(tx: Transaction, run: Run, by: Deciding & { readonly userId: string }): Promise<void> {
    const approval = await store.approvalOf(tx, run.id, by.userId);
    if (approval === undefined || approval.revokedAt !== null) {
      throw conflict('The run has no approval of this user, so there is nothing to revoke');
    }
    await store.revokeApproval(tx, approval.id, by.now);
    const { now, principal: actor, commentId } = by;
    const words = await this.#countOf(tx, run);
    await this.#options.notes.revoked(tx, run, approval.userName, words, { now, actor, commentId });
  }

  async #approve(tx: Transaction, run: Run, { actor, principal, commentId, now }: Deciding): Promise<void> {
    if (actor.kind !== 'user') throw conflict('Only a user can approve a run');
    const earlier = await store.approvalOf(tx, run.id, actor.id);
    if ((earlier?.times ?? 0) >= MAX_TIMES) {
      throw conflict(`The user has approved this run ${MAX_TIMES} times and revoked each approval. Start a new run`);
    }
    if ((await store.countApprovals(tx, run.id)) >= MAX_APPROVALS) {
      throw conflict(`A run has at most ${MAX_APPROVALS} approvals. Ask an administrator to check its approval rules`);
    }
    await store.putApproval(tx, {
      ...{ id: prefixedId('rap', now), runId: run.id, userId: actor.id, userName: actor.username },
      ...{ commentId, createdAt: now },
    });
    const words = await this.#countOf(tx, run);
    await this.#options.notes.approved(tx, run, actor.username, words, { now, actor: principal, commentId });
  }

  async #countOf(tx: Transaction, run: Run): Promise<string> {
    const state = await approvalState(tx, run);
    return state === undefined ? 'no approval is required' : countText(state);
  }
}

/** Returns whether a user or `auto-apply` has confirmed the run, so that it goes on after its last approval. */
export function isConfirmed(run: Run): boolean {
  return run.confirmedBy !== null || afterPlan(run) === 'confirmed';
}

/** A repeated request succeeds; a confirmation of another actor has no effect, so the actor must know. */
function requireRepetition(run: Run, principal: Identifier, state: ViewedApprovals): void {
  const { type, id } = run.confirmedBy ?? run.createdBy;
  if (type === principal.type && id === principal.id) return;
  throw conflict(withState(`The run is confirmed already and waits for approvals. ${state.viewerRefusal}.`, state));
}

/** A refusal that names the missing approvals. It ends without a full stop, as other errors do. */
function withState(text: string, state: ViewedApprovals): string {
  return state.missing === undefined ? text.replace(/\.$/, '') : `${text} ${state.missing}`;
}
