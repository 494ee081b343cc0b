import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { type Actor, principalIn } from '../../tenancy/index.ts';
import type { Counts } from '../lifecycle/phase.ts';
import { isQueued } from '../lifecycle/queue.ts';
import { allows, isFinal, isIdle, isReady, isStage, leadsTo, type RunStatus } from '../lifecycle/status.ts';
import { insertComment } from './comments.ts';
import { isCarrier, type RunFinder, type RunPermissions, refusalOf } from './finder.ts';
import type { RunProgress } from './progress.ts';
import { afterPlan } from './rules.ts';
import { CANCEL_GRACE, type Run } from './run.ts';
import type { Report } from './schema.ts';
import * as store from './store.ts';
import * as turnStore from './turn-store.ts';

/** What the service works with. */
export interface RunActionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly finder: RunFinder;
  readonly progress: RunProgress;
}

/** Who does something with a run, and why. */
interface Deed {
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

  /** Confirms a plan. @throws 404 when the actor may not, 409 when there is nothing to confirm */
  async apply(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'apply', comment, async (run, deed) => {
      if (!allows('apply', run.status) || run.parameters['plan-only'] || run.canceledAt !== null) refuse(run, 'apply');
      if ((await this.#stageAfterPlan(deed.tx, run)) !== undefined) refuse(run, 'apply');
      await this.#confirm({ ...run, confirmedBy: deed.actor }, deed);
    });
  }

  /** Gives a plan up. @throws 404 when the actor may not, 409 when the run is past that */
  async discard(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'apply', comment, async (run, deed) => {
      if (!allows('discard', run.status)) refuse(run, 'discard');
      await this.#options.progress.step(deed.tx, run, 'discarded', deed);
    });
  }

  /**
   * Ends a run that nobody works on; of the others it asks those who do.
   * @throws 404 when the actor may not, 409 when it is over, waits for people, or was asked already
   */
  async cancel(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'cancel', comment, async (run, deed) => {
      if (!allows('cancel', run.status) || run.canceledAt !== null) refuse(run, 'cancel');
      const asked = { ...run, canceledAt: deed.now };
      // Whoever judges a run does not work on it.
      const idle = isIdle(run.status) || (isStage(run.status) && run.agentId === null);
      if (idle) await this.#options.progress.step(deed.tx, asked, 'canceled', deed);
      else await store.update(deed.tx, asked, isQueued(run.status));
    });
  }

  /** @throws 404 when the actor may not, 409 unless a cancel was asked for some time ago */
  async forceCancel(actor: Actor, id: string, comment: string): Promise<void> {
    await this.#act(actor, id, 'forceCancel', comment, async (run, deed) => {
      if (!isForceCancelable(run, deed.now)) refuse(run, 'force-cancel');
      await this.#options.progress.step(deed.tx, run, 'force_canceled', deed);
    });
  }

  /**
   * Gives the workspace to a run before its turn: the one that has it, and those that came before, are discarded.
   * @throws 404 when the actor may not, 409 when it does not wait for a run that can be discarded
   */
  async forceExecute(actor: Actor, id: string): Promise<void> {
    await this.#act(actor, id, 'apply', '', async (run, deed) => {
      const { progress } = this.#options;
      const holder = await turnStore.activeIn(deed.tx, run.workspaceId);
      const active = holder === undefined ? undefined : await store.claim(deed.tx, holder);
      if (run.status !== 'pending' || !run.waits || active === undefined) return refuse(run, 'force-execute');
      if (!allows('discard', active.status)) refuse(run, 'force-execute');
      for (const before of await turnStore.waitingBefore(deed.tx, run)) {
        const other = await store.claim(deed.tx, before);
        if (other?.status === 'pending') await progress.step(deed.tx, other, 'discarded', deed);
      }
      // Its end gives the workspace to the next: that is the one.
      await progress.step(deed.tx, active, 'discarded', deed);
    });
  }

  /**
   * What whoever carries the run out says of it: the agent that has taken it, or somebody who may confirm such runs.
   * @throws 404 when the actor may not, 409 for a step that the state machine does not know, or another agent's run
   */
  async advance(actor: Actor, id: string, report: Report): Promise<void> {
    await this.#act(actor, id, 'carryOut', '', async (run, deed) => {
      const { progress } = this.#options;
      const { status } = report;
      // Another may have taken it since.
      if (actor.kind === 'agent' && !isCarrier(actor, run)) throw refusalOf(actor);
      const mayCancel = status !== 'canceled' || run.canceledAt !== null;
      const maySave = status !== 'planned_and_saved' || run.parameters['save-plan'];
      if (run.waits || !leadsTo(run.status, status) || !mayCancel || !maySave) refuse(run, status);
      if (await progress.stages.holds(deed.tx, id)) refuse(run, status);
      const counts = countsOf(report);
      const changed = report['has-changes'] ?? (counts === undefined ? run.hasChanges : isChange(counts));
      const rests = allows('apply', status) && !report['stages-follow'];
      const carried = { ...run, status, hasChanges: changed, agentId: rests ? null : run.agentId };
      const stagesFollow = report['stages-follow'] || (await this.#stageAfterPlan(deed.tx, carried)) !== undefined;
      const options = { now: deed.now, actor: null, counts, stagesFollow };
      const next = await progress.step(deed.tx, { ...carried, status: run.status }, status, options);
      if (!report['stages-follow']) await this.goOn(deed.tx, next, deed.now);
    });
  }

  /** What follows by itself once a plan is made and judged: a stage that is still to come, or what nobody has to decide. */
  async goOn(tx: Transaction, run: Run, now: number): Promise<void> {
    const following = (await this.#stageAfterPlan(tx, run)) ?? afterPlan(run);
    if (following === 'confirmed') await this.#confirm(run, { tx, now, commentId: null, actor: null });
    else if (following) await this.#options.progress.step(tx, run, following, { now, actor: null });
  }

  /** The stage that a plan has to pass before anything else becomes of it. */
  async #stageAfterPlan(tx: Transaction, run: Run): Promise<RunStatus | undefined> {
    if (!isReady(run.status)) return undefined;
    return this.#options.progress.stages.before(tx, run, afterPlan(run) ?? 'confirmed');
  }

  /** A saved plan has to wait for the workspace; the others hold it already. */
  async #confirm(run: Run, deed: Omit<Deed, 'actor'> & { readonly actor: Identifier | null }): Promise<void> {
    const { progress } = this.#options;
    const confirmed = await progress.step(deed.tx, { ...run, waits: !run.active }, 'confirmed', deed);
    if (run.active) await progress.step(deed.tx, confirmed, 'apply_queued', { now: deed.now, actor: null });
    else await progress.promote(deed.tx, run.workspaceId, deed.now);
  }

  async #act(
    actor: Actor,
    id: string,
    permission: keyof RunPermissions,
    comment: string,
    deed: (run: Run, deed: Deed) => Promise<void>,
  ): Promise<void> {
    const { clock, database, finder } = this.#options;
    const { permissions, organizationId } = await finder.find(actor, id);
    if (!permissions[permission]) throw permission === 'carryOut' ? refusalOf(actor) : notFound();
    const principal = principalIn(actor, organizationId);
    await database.transaction(async (tx) => {
      const now = clock();
      const run = await store.claim(tx, id);
      if (run === undefined) throw notFound();
      const said = { id: prefixedId('comment', now), runId: id, body: comment, createdBy: principal, createdAt: now };
      if (comment !== '') await insertComment(tx, said);
      await deed(run, { tx, actor: principal, commentId: comment === '' ? null : said.id, now });
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

function isChange({ additions, changes, destructions, imports }: Counts): boolean {
  return additions + changes + destructions + imports > 0;
}
