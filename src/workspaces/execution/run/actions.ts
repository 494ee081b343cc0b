import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { type Actor, principalIn } from '../../tenancy/index.ts';
import { storeReporter } from '../approval/requesters.ts';
import { type Counts, isChange } from '../lifecycle/phase.ts';
import { allows, isFinal, leadsTo } from '../lifecycle/status.ts';
import type { ApplyChecks } from './apply-check/apply-checks.ts';
import { type ApprovedConfirmation, isConfirmed } from './approval/confirmation.ts';
import type { ApprovalNotes } from './approval/notes.ts';
import type { RunFinder, RunPermissions } from './finder.ts';
import { insertComment } from './history/comments.ts';
import { cancelRun } from './interruption.ts';
import type { RunOutcomes } from './outcomes.ts';
import * as queueStore from './queue-store.ts';
import { CANCEL_GRACE, type Run } from './run.ts';
import type { RunStateMachine } from './run-state-machine.ts';
import type { Report } from './schema.ts';
import * as store from './store.ts';

/** Dependencies of `RunActions`. */
export interface RunActionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly finder: RunFinder;
  readonly stateMachine: RunStateMachine;
  readonly outcomes: RunOutcomes;
  readonly checks: ApplyChecks;
  readonly confirmation: ApprovedConfirmation;
  readonly approvalNotes: Pick<ApprovalNotes, 'discarded'>;
}

/** Context of one action on a run. */
interface Decision {
  readonly tx: Transaction;
  readonly actor: Identifier;
  readonly commentId: string | null;
  readonly now: number;
}

/** Actions of users on runs, and status reports of programs that execute runs without a job. */
export class RunActions {
  readonly #options: RunActionsOptions;

  constructor(options: RunActionsOptions) {
    this.#options = options;
  }

  /**
   * Confirms a plan. If approvals are missing, the run waits for them (approval/).
   * @throws 404 without permission, 409 when there is nothing to confirm or a check refuses the apply
   * (run/apply-check/)
   */
  async apply(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'apply', comment, async (run, { tx, actor: principal, commentId, now }) => {
      if (!allows('apply', run.status) || run.parameters['plan-only'] || run.canceledAt !== null) refuse(run, 'apply');
      const { confirmation, outcomes } = this.#options;
      if ((await outcomes.stageAfterPlan(tx, run)) !== undefined) refuse(run, 'apply');
      await confirmation.confirm(tx, run, { actor, principal, commentId, now });
    });
  }

  /** Discards a plan. @throws 404 without permission, 409 when the run cannot be discarded any more */
  async discard(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'apply', comment, async (run, decision) => {
      if (!allows('discard', run.status)) refuse(run, 'discard');
      if (isConfirmed(run)) await this.#options.approvalNotes.discarded(decision.tx, run);
      await this.#options.stateMachine.transition(decision.tx, run, 'discarded', decision);
    });
  }

  /**
   * Cancels a run (interruption.ts).
   * @throws 404 without permission, 409 when the run is over, waits for confirmation, or is being canceled
   * already
   */
  async cancel(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'cancel', comment, async (run, decision) => {
      if (!(await cancelRun(this.#options.stateMachine, decision.tx, run, decision))) refuse(run, 'cancel');
    });
  }

  /**
   * Ends a run without its agent.
   * @throws 404 without permission, 409 unless a cancel was requested `CANCEL_GRACE` ago
   */
  async forceCancel(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'forceCancel', comment, async (run, decision) => {
      if (!isForceCancelable(run, decision.now)) refuse(run, 'force-cancel');
      await this.#options.stateMachine.transition(decision.tx, run, 'force_canceled', decision);
    });
  }

  /**
   * Gives the workspace to a pending run at once. Discards the run that holds the workspace, and the runs that wait
   * before this one.
   * @throws 404 without permission, 409 when the run does not wait for a run that can be discarded
   */
  async forceExecute(actor: Actor, id: string): Promise<void> {
    await this.#act(actor, id, 'apply', '', async (run, decision) => {
      const { stateMachine } = this.#options;
      const holder = await queueStore.runHoldingWorkspace(decision.tx, run.workspaceId);
      const active = holder === undefined ? undefined : await store.claimRun(decision.tx, holder);
      if (run.status !== 'pending' || !run.awaitsWorkspace || active === undefined) return refuse(run, 'force-execute');
      if (!allows('discard', active.status)) refuse(run, 'force-execute');
      for (const before of await queueStore.runsWaitingBefore(decision.tx, run)) {
        const other = await store.claimRun(decision.tx, before);
        if (other?.status === 'pending') await stateMachine.transition(decision.tx, other, 'discarded', decision);
      }
      // The end of the active run gives the workspace to the next run in the queue, which is now this one.
      await stateMachine.transition(decision.tx, active, 'discarded', decision);
    });
  }

  /**
   * Stores a status report of a program that executes the run without a job. The server decides about the next status
   * of the run.
   * @throws 404 without permission, 409 when agents execute the run, or the reported status cannot follow the current
   * one
   */
  async advance(actor: Actor, id: string, report: Report): Promise<void> {
    await this.#act(actor, id, 'executeTrial', '', async (run, { tx, actor: by, now }) => {
      const { checks, outcomes, stateMachine } = this.#options;
      const { status } = report;
      const isAsked = status !== 'canceled' || run.canceledAt !== null;
      if (run.awaitsWorkspace || !leadsTo(run.status, status) || !isAsked) refuse(run, status);
      if (await stateMachine.isHeldByStage(tx, id)) refuse(run, status);
      if (status === 'applying') await checks.require(tx, run);
      if (status === 'planned') await storeReporter(tx, run, by);
      const counts = countsOf(report);
      if (status === 'planning' || status === 'applying') await outcomes.start(tx, run, now, by);
      else if (status === 'applied') await outcomes.applied(tx, run, counts, now, by);
      else if (status === 'planned') {
        const hasChanges = report['has-changes'] ?? (counts !== undefined && isChange(counts));
        await outcomes.planned(tx, run, { hasChanges, counts }, now, by);
      } else await stateMachine.transition(tx, run, status, { now, actor: by });
    });
  }

  async #act(
    actor: Actor,
    id: string,
    permission: keyof RunPermissions,
    comment: string,
    work: (run: Run, decision: Decision) => Promise<void>,
  ): Promise<void> {
    const { clock, database, finder } = this.#options;
    // Agents act through their job (job/jobs.ts).
    if (actor.kind === 'agent') throw notFound();
    const view = await finder.find(actor, id);
    if (!view.permissions[permission]) throw notFound();
    if (permission === 'executeTrial') finder.requireExecutor(actor, view);
    const principal = principalIn(actor, view.organizationId);
    await database.transaction(async (tx) => {
      const now = clock();
      const run = await store.claimRun(tx, id);
      if (run === undefined) throw notFound();
      const said = { id: prefixedId('comment', now), runId: id, body: comment, createdBy: principal, createdAt: now };
      if (comment !== '') await insertComment(tx, said);
      await work(run, { tx, actor: principal, commentId: comment === '' ? null : said.id, now });
    });
  }
}

/** Returns whether a cancel was requested and the grace period is over. */
export function isForceCancelable({ status, canceledAt }: Run, now: number): boolean {
  return !isFinal(status) && canceledAt !== null && now >= canceledAt + CANCEL_GRACE;
}

function refuse({ status }: Run, wanted: string): never {
  const detail = `A run that is ${status} cannot become: ${wanted}`;
  throw new AppError('conflict', detail, { title: 'transition not allowed' });
}

/** Returns the resource counts of a report; undefined if it has none. */
function countsOf(report: Report): Counts | undefined {
  const { 'resource-additions': additions = 0, 'resource-changes': changes = 0 } = report;
  const { 'resource-destructions': destructions = 0, 'resource-imports': imports = 0 } = report;
  const given = (Object.keys(report) as (keyof Report)[]).some((key) => key.startsWith('resource-'));
  return given ? { additions, changes, destructions, imports } : undefined;
}
