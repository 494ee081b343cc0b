import type { Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { Counts } from '../lifecycle/phase.ts';
import { isReady, leadsTo, type RunStatus } from '../lifecycle/status.ts';
import type { ApplyChecks } from './apply-check/apply-checks.ts';
import type { ApprovalNotes } from './approval/notes.ts';
import { afterPlan } from './rules.ts';
import type { Run } from './run.ts';
import type { RunStateMachine } from './run-state-machine.ts';
import * as store from './store.ts';

/** Result of a successful plan. */
export interface PlanResult {
  readonly hasChanges: boolean;
  readonly counts: Counts | undefined;
}

/** Context of a decision. */
interface Decision {
  readonly now: number;
  readonly actor: Identifier | null;
  readonly commentId?: string | null;
}

/**
 * Advances a run by the results of its plan and its apply. Every method expects `RunStateMachine.claim` before it, in
 * the same transaction.
 */
export class RunOutcomes {
  readonly #stateMachine: RunStateMachine;
  readonly #checks: ApplyChecks;
  readonly #waits: Pick<ApprovalNotes, 'begin'>;

  constructor(stateMachine: RunStateMachine, checks: ApplyChecks, waits: Pick<ApprovalNotes, 'begin'>) {
    this.#stateMachine = stateMachine;
    this.#checks = checks;
    this.#waits = waits;
  }

  /**
   * Starts the plan or the apply, or enters the stage that comes before it.
   * @param actor who reports it; null for an agent, whose run names it
   */
  async start(tx: Transaction, run: Run, now: number, actor: Identifier | null = null): Promise<Run> {
    const status = run.status === 'apply_queued' ? 'applying' : 'planning';
    const begun = await this.#stateMachine.transition(tx, run, status, { now, actor });
    if (begun.status === 'planning') await this.#checks.noteStarted(tx, begun);
    return begun;
  }

  /**
   * Ends a run whose apply has not started, if a check refuses it. The reason is in its log and its events.
   * @returns the ended run; undefined if it may be applied
   */
  async endIfRefused(tx: Transaction, run: Run, now: number): Promise<Run | undefined> {
    if (run.status !== 'apply_queued') return undefined;
    const { refusal, unwanted } = await this.#checks.verdict(tx, run);
    if (unwanted !== undefined) return this.#discard(tx, run, unwanted, now);
    return refusal === undefined ? undefined : this.giveUp(tx, run, refusal, now);
  }

  /** Ends a run that is not wanted any more. @param why without the last full stop */
  #discard(tx: Transaction, run: Run, why: string, now: number): Promise<Run> {
    const ended = { ...run, cancelReason: `${why}. Nothing was destroyed` };
    return this.#stateMachine.transition(tx, ended, 'discarded', { now, actor: null });
  }

  /** Ends a run that waits for an agent, if no agent may execute it. @param refusal why, without the last full stop */
  giveUp(tx: Transaction, run: Run, refusal: string, now: number): Promise<Run> {
    const what = run.status === 'apply_queued' ? 'Nothing was applied' : 'Nothing was planned';
    const reason = `${refusal}. ${what}. Correct this and start a new run`;
    return this.#stateMachine.transition(tx, { ...run, cancelReason: reason }, 'errored', { now, actor: null });
  }

  /** Stores a successful plan. The job of its agent ends. */
  async planned(
    tx: Transaction,
    run: Run,
    { hasChanges, counts }: PlanResult,
    now: number,
    actor: Identifier | null = null,
  ): Promise<Run> {
    const made: Run = { ...run, status: 'planned', hasChanges, agentId: null };
    const stagesFollow = (await this.stageAfterPlan(tx, made)) !== undefined;
    const options = { now, actor, counts, stagesFollow };
    const next = await this.#stateMachine.transition(tx, { ...made, status: run.status }, 'planned', options);
    return this.advanceAfterPlan(tx, next, now);
  }

  /** Stores a successful apply. */
  applied(
    tx: Transaction,
    run: Run,
    counts: Counts | undefined,
    now: number,
    actor: Identifier | null = null,
  ): Promise<Run> {
    return this.#stateMachine.transition(tx, run, 'applied', { now, actor, counts });
  }

  /**
   * Ends a run whose phase failed. If the server interrupted the run, the server's reason comes first, because the
   * agent's error follows from the interruption.
   * @param reason one line; undefined if the log has the reason
   */
  failed(tx: Transaction, run: Run, reason: string | undefined, now: number): Promise<Run> {
    const wasCanceled = run.canceledAt !== null && leadsTo(run.status, 'canceled');
    const whole = [run.cancelReason, reason].filter(Boolean).join('. ');
    const options = { now, actor: null, ...(whole !== '' && { reason: whole }) };
    return this.#stateMachine.transition(tx, run, wasCanceled ? 'canceled' : 'errored', options);
  }

  /** Advances a run after its plan and evaluation: to the next stage, or to the status that needs no confirmation. */
  async advanceAfterPlan(tx: Transaction, run: Run, now: number): Promise<Run> {
    const following = (await this.stageAfterPlan(tx, run)) ?? afterPlan(run);
    if (following === 'confirmed') return this.#autoConfirm(tx, run, now);
    return following ? this.#stateMachine.transition(tx, run, following, { now, actor: null }) : run;
  }

  /**
   * Confirms a run with `auto-apply`. A run that is not wanted any more ends. If another check refuses it, the run waits for confirmation, and users are notified. If
   * only approvals are missing, the last one confirms the run.
   */
  async #autoConfirm(tx: Transaction, run: Run, now: number): Promise<Run> {
    const { refusal, otherRefusal, unwanted } = await this.#checks.verdict(tx, run);
    if (unwanted !== undefined) return this.#discard(tx, run, unwanted, now);
    if (refusal === undefined) return this.confirm(tx, run, { now, actor: null });
    if (otherRefusal === undefined) {
      await this.#waits.begin(tx, run, refusal, { now, actor: null });
      await this.#stateMachine.announce(tx, askingFor(run), { now, actor: null });
      return run;
    }
    const waiting = { ...run, parameters: { ...run.parameters, 'auto-apply': false } };
    await store.setParameters(tx, run.id, waiting.parameters);
    await this.#checks.noteRefusal(tx, waiting, refusal);
    await this.#stateMachine.announce(tx, waiting, { now, actor: null });
    return waiting;
  }

  /** Returns the next stage that a plan must pass; undefined if there is none. */
  async stageAfterPlan(tx: Transaction, run: Run): Promise<RunStatus | undefined> {
    if (!isReady(run.status)) return undefined;
    return this.#stateMachine.stageBefore(tx, run, afterPlan(run) ?? 'confirmed');
  }

  /** Confirms a run. A saved plan has to wait for the workspace; other runs hold it already. */
  async confirm(tx: Transaction, run: Run, decision: Decision): Promise<Run> {
    const confirmed = await this.#stateMachine.transition(
      tx,
      { ...run, awaitsWorkspace: !run.holdsWorkspace },
      'confirmed',
      decision,
    );
    if (run.holdsWorkspace)
      return this.#stateMachine.transition(tx, confirmed, 'apply_queued', { now: decision.now, actor: null });
    await this.#stateMachine.promote(tx, run.workspaceId, decision.now);
    return confirmed;
  }
}

/** A run with `auto-apply` needs attention once it waits for approvals, as a run that waits for confirmation does. */
function askingFor(run: Run): Run {
  return { ...run, hasChanges: true, parameters: { ...run.parameters, 'auto-apply': false } };
}
