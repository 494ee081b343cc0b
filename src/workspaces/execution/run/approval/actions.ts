import type { Clock } from '../../../../lib/clock.ts';
import { prefixedId } from '../../../../lib/ids.ts';
import type { Database, Transaction } from '../../../../storage/index.ts';
import { conflict, notFound } from '../../../jsonapi/errors.ts';
import { type Actor, principalIn } from '../../../tenancy/index.ts';
import { needsApprovals } from '../../approval/approvals.ts';
import { allows } from '../../lifecycle/status.ts';
import type { RunFinder } from '../finder.ts';
import { insertComment } from '../history/comments.ts';
import type { RunOutcomes } from '../outcomes.ts';
import type { Run } from '../run.ts';
import * as runStore from '../store.ts';
import type { ApprovedConfirmation, Deciding } from './confirmation.ts';

/** Dependencies of `ApprovalActions`. */
export interface ApprovalActionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly finder: RunFinder;
  readonly outcomes: RunOutcomes;
  readonly confirmation: ApprovedConfirmation;
}

/** Approvals of users, and their revocation. */
export class ApprovalActions {
  readonly #options: ApprovalActionsOptions;

  constructor(options: ApprovalActionsOptions) {
    this.#options = options;
  }

  /**
   * Approves a run that waits for confirmation or for approvals.
   * @throws 404 unless the actor may apply the run, 409 if it does not wait or the approval would have no effect
   */
  async approve(actor: Actor, runId: string, comment: string): Promise<void> {
    await this.#act(actor, runId, comment, true, async (tx, run, by) => {
      const { confirmation, outcomes } = this.#options;
      const waits = allows('apply', run.status) && needsApprovals(run) && run.canceledAt === null;
      if (!waits || (await outcomes.stageAfterPlan(tx, run)) !== undefined) {
        throw conflict(`The run is ${run.status}, so it waits for no approval`);
      }
      await confirmation.approve(tx, run, by);
    });
  }

  /**
   * Revokes the actor's own approval before the apply starts. A run that is confirmed then ends without an apply, if it
   * needs the approval.
   * @throws 404 if the actor may not see the run, 409 without an approval or after the start of the apply
   */
  async revoke(actor: Actor, runId: string, comment: string): Promise<void> {
    await this.#act(actor, runId, comment, false, async (tx, run, by) => {
      if (actor.kind !== 'user') throw conflict('Only a user can revoke an approval, because only users approve');
      if (!needsApprovals(run)) throw conflict(`The run is ${run.status}, so its approvals are final`);
      await this.#options.confirmation.revoke(tx, run, { ...by, userId: actor.id });
    });
  }

  async #act(
    actor: Actor,
    id: string,
    comment: string,
    applies: boolean,
    work: (tx: Transaction, run: Run, by: Deciding) => Promise<void>,
  ): Promise<void> {
    const { clock, database, finder } = this.#options;
    if (actor.kind === 'agent' || actor.kind === 'task') throw notFound();
    const { permissions, organizationId } = await finder.find(actor, id);
    if (applies && !permissions.apply) throw notFound();
    const principal = principalIn(actor, organizationId);
    await database.transaction(async (tx) => {
      const now = clock();
      const run = await runStore.claimRun(tx, id);
      if (run === undefined) throw notFound();
      const commentId = comment === '' ? null : prefixedId('comment', now);
      const said = { runId: id, body: comment, createdBy: principal, createdAt: now };
      if (commentId !== null) await insertComment(tx, { id: commentId, ...said });
      await work(tx, run, { actor, principal, commentId, now });
    });
  }
}
