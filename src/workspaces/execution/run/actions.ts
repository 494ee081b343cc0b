import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { type Actor, principalIn } from '../../tenancy/index.ts';
import { type Counts, isChange } from '../lifecycle/phase.ts';
import { isQueued } from '../lifecycle/queue.ts';
import { allows, isFinal, isIdle, isStage, leadsTo } from '../lifecycle/status.ts';
import type { ApplyChecks } from './apply-check/apply-checks.ts';
import type { RunFinder, RunPermissions } from './finder.ts';
import { insertComment } from './history/comments.ts';
import type { RunOutcomes } from './outcomes.ts';
import * as queueStore from './queue-store.ts';
import { CANCEL_GRACE, type Run } from './run.ts';
import type { RunStateMachine } from './run-state-machine.ts';
import type { Report } from './schema.ts';
import * as store from './store.ts';

/** What the service works with. */
export interface RunActionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly finder: RunFinder;
  readonly stateMachine: RunStateMachine;
  readonly outcomes: RunOutcomes;
  readonly checks: ApplyChecks;
}

/** Who does something with a run, and why. */
interface Decision {
  readonly tx: Transaction;
  readonly actor: Identifier;
  readonly commentId: string | null;
  readonly now: number;
}

/** Takes runs further: what people decide, and what those report who carry them out (facts §6.11). */
export class RunActions {
  readonly #options: RunActionsOptions;

  constructor(options: RunActionsOptions) {
    this.#options = options;
  }

  /**
   * Confirms a plan.
   * @throws 404 when the actor may not, 409 when there is nothing to confirm, or a fact of the plan holds no more (run/apply-check/)
   */
  async apply(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'apply', comment, async (run, decision) => {
      if (!allows('apply', run.status) || run.parameters['plan-only'] || run.canceledAt !== null) refuse(run, 'apply');
      const { outcomes } = this.#options;
      if ((await outcomes.stageAfterPlan(decision.tx, run)) !== undefined) refuse(run, 'apply');
      const confirmed = { ...run, confirmedBy: decision.actor };
      await this.#options.checks.require(decision.tx, confirmed);
      await outcomes.confirm(decision.tx, confirmed, decision);
    });
  }

  /** Gives a plan up. @throws 404 when the actor may not, 409 when the run is past that */
  async discard(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'apply', comment, async (run, decision) => {
      if (!allows('discard', run.status)) refuse(run, 'discard');
      await this.#options.stateMachine.transition(decision.tx, run, 'discarded', decision);
    });
  }

  /**
   * Ends a run that nobody works on; of the others it asks those who do.
   * @throws 404 when the actor may not, 409 when it is over, waits for people, or was asked already
   */
  async cancel(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'cancel', comment, async (run, decision) => {
      if (!allows('cancel', run.status) || run.canceledAt !== null) refuse(run, 'cancel');
      const asked = { ...run, canceledAt: decision.now };
      // Whoever judges a run does not work on it.
      const idle = isIdle(run.status) || (isStage(run.status) && run.agentId === null);
      if (idle) await this.#options.stateMachine.transition(decision.tx, asked, 'canceled', decision);
      else await store.updateRun(decision.tx, asked, isQueued(run.status));
    });
  }

  /** @throws 404 when the actor may not, 409 unless a cancel was asked for some time ago */
  async forceCancel(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'forceCancel', comment, async (run, decision) => {
      if (!isForceCancelable(run, decision.now)) refuse(run, 'force-cancel');
      await this.#options.stateMachine.transition(decision.tx, run, 'force_canceled', decision);
    });
  }

  /**
   * Gives the workspace to a run before its turn: the one that has it, and those that came before, are discarded.
   * @throws 404 when the actor may not, 409 when it does not wait for a run that can be discarded
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
      // Its end gives the workspace to the next: that is the one.
      await stateMachine.transition(decision.tx, active, 'discarded', decision);
    });
  }

  /**
   * What somebody tells who carries the run out by themselves and may confirm such runs. What comes of it is ours to decide.
   * @throws 404 when the actor may not, 409 for what does not follow from where the run is
   */
  async advance(actor: Actor, id: string, report: Report): Promise<void> {
    await this.#act(actor, id, 'carryOut', '', async (run, { tx, now }) => {
      const { checks, outcomes, stateMachine } = this.#options;
      const { status } = report;
      const isAsked = status !== 'canceled' || run.canceledAt !== null;
      if (run.awaitsWorkspace || !leadsTo(run.status, status) || !isAsked) refuse(run, status);
      if (await stateMachine.stages.holds(tx, id)) refuse(run, status);
      if (status === 'applying') await checks.require(tx, run);
      const counts = countsOf(report);
      if (status === 'planning' || status === 'applying') await outcomes.start(tx, run, now);
      else if (status === 'applied') await outcomes.applied(tx, run, counts, now);
      else if (status === 'planned') {
        const hasChanges = report['has-changes'] ?? (counts !== undefined && isChange(counts));
        await outcomes.planned(tx, run, { hasChanges, counts }, now);
      } else await stateMachine.transition(tx, run, status, { now, actor: null });
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
    // What an agent does, it does with a job (job/jobs.ts).
    if (actor.kind === 'agent') throw notFound();
    const { permissions, organizationId } = await finder.find(actor, id);
    if (!permissions[permission]) throw notFound();
    const principal = principalIn(actor, organizationId);
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

/** Whether a cancel was asked for, and not heard in time. */
export function isForceCancelable({ status, canceledAt }: Run, now: number): boolean {
  return !isFinal(status) && canceledAt !== null && now >= canceledAt + CANCEL_GRACE;
}

function refuse({ status }: Run, wanted: string): never {
  const detail = `A run that is ${status} cannot be taken to: ${wanted}`;
  throw new AppError('conflict', detail, { title: 'transition not allowed' });
}

/** Undefined where nothing was counted. */
function countsOf(report: Report): Counts | undefined {
  const { 'resource-additions': additions = 0, 'resource-changes': changes = 0 } = report;
  const { 'resource-destructions': destructions = 0, 'resource-imports': imports = 0 } = report;
  const given = (Object.keys(report) as (keyof Report)[]).some((key) => key.startsWith('resource-'));
  return given ? { additions, changes, destructions, imports } : undefined;
}
