import type { Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { Counts } from '../lifecycle/phase.ts';
import { isReady, leadsTo, type RunStatus } from '../lifecycle/status.ts';
import type { RunProgress } from './progress.ts';
import { afterPlan } from './rules.ts';
import type { Run } from './run.ts';

/** What came of a plan that went well. */
export interface Planned {
  readonly hasChanges: boolean;
  readonly counts: Counts | undefined;
}

/** What is known of somebody who decides, and when. */
interface Deed {
  readonly now: number;
  readonly actor: Identifier | null;
  readonly commentId?: string | null;
}

/** What becomes of a run by what is told of its plan and its apply. Everything after `RunProgress.claim`, in the same unit of work. */
export class RunOutcomes {
  readonly #progress: RunProgress;

  constructor(progress: RunProgress) {
    this.#progress = progress;
  }

  /** The plan or the apply is begun, unless a stage comes before that: then the run is there. */
  begin(tx: Transaction, run: Run, now: number): Promise<Run> {
    const status = run.status === 'apply_queued' ? 'applying' : 'planning';
    return this.#progress.step(tx, run, status, { now, actor: null });
  }

  /** The plan went well. Whoever made it is done with the run. */
  async planned(tx: Transaction, run: Run, { hasChanges, counts }: Planned, now: number): Promise<Run> {
    const made: Run = { ...run, status: 'planned', hasChanges, agentId: null };
    const stagesFollow = (await this.stageAfterPlan(tx, made)) !== undefined;
    const options = { now, actor: null, counts, stagesFollow };
    const next = await this.#progress.step(tx, { ...made, status: run.status }, 'planned', options);
    return this.goOn(tx, next, now);
  }

  /** The apply went well. */
  applied(tx: Transaction, run: Run, counts: Counts | undefined, now: number): Promise<Run> {
    return this.#progress.step(tx, run, 'applied', { now, actor: null, counts });
  }

  /** It did not go well. @param reason one line; undefined where the log says it */
  failed(tx: Transaction, run: Run, reason: string | undefined, now: number): Promise<Run> {
    const wasCanceled = run.canceledAt !== null && leadsTo(run.status, 'canceled');
    const options = { now, actor: null, ...(reason !== undefined && { reason }) };
    return this.#progress.step(tx, run, wasCanceled ? 'canceled' : 'errored', options);
  }

  /** What follows by itself once a plan is made and judged: a stage that is still to come, or what nobody has to decide. */
  async goOn(tx: Transaction, run: Run, now: number): Promise<Run> {
    const following = (await this.stageAfterPlan(tx, run)) ?? afterPlan(run);
    if (following === 'confirmed') return this.confirm(tx, run, { now, actor: null });
    return following ? this.#progress.step(tx, run, following, { now, actor: null }) : run;
  }

  /** The stage that a plan has to pass before anything else becomes of it. */
  async stageAfterPlan(tx: Transaction, run: Run): Promise<RunStatus | undefined> {
    if (!isReady(run.status)) return undefined;
    return this.#progress.stages.before(tx, run, afterPlan(run) ?? 'confirmed');
  }

  /** A saved plan has to wait for the workspace; the others hold it already. */
  async confirm(tx: Transaction, run: Run, deed: Deed): Promise<Run> {
    const confirmed = await this.#progress.step(tx, { ...run, waits: !run.active }, 'confirmed', deed);
    if (run.active) return this.#progress.step(tx, confirmed, 'apply_queued', { now: deed.now, actor: null });
    await this.#progress.promote(tx, run.workspaceId, deed.now);
    return confirmed;
  }
}
