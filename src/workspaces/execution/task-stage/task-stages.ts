import { AppError } from '../../../lib/errors.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { RunFinder } from '../run/finder.ts';
import * as outcomeStore from './outcome-store.ts';
import type { ResultStore } from './result-store.ts';
import * as store from './store.ts';
import type { TaskOutcome, TaskResult, TaskStage } from './task-stage.ts';

/** A stage with the results of its tasks. */
export interface StageView extends TaskStage {
  readonly results: readonly TaskResult[];
}

/** Stages of runs and their task results, for actors who may see the run. */
export class TaskStages {
  readonly #database: Database;
  readonly #finder: RunFinder;
  readonly #results: ResultStore;

  constructor(database: Database, finder: RunFinder, results: ResultStore) {
    this.#database = database;
    this.#finder = finder;
    this.#results = results;
  }

  /** Returns the stages in the order in which they happen. @throws 404 when the actor may not see the run */
  async list(actor: Actor, runId: string, { offset, size }: Page): Promise<Slice<StageView>> {
    await this.#finder.find(actor, runId);
    const all = await this.ofRuns([runId]);
    return { items: all.slice(offset, offset + size), total: all.length };
  }

  /**
   * Finds a stage.
   * @throws 404 when it does not exist, or the actor may not see the run
   */
  async find(actor: Actor, id: string): Promise<StageView> {
    const stage = await this.#finder.owner(actor, await store.findStage(this.#database, id));
    return { ...stage, results: await this.#results.ofStages(this.#database, [id]) };
  }

  /**
   * Returns one task result and its stage.
   * @throws 404 when there is none, or the actor may not see the run
   */
  async result(actor: Actor, id: string): Promise<TaskResult> {
    const result = await this.#results.byId(this.#database, id);
    const stage = result && (await store.findStage(this.#database, result.stageId));
    await this.#finder.owner(actor, stage);
    if (result === undefined) throw notFound();
    return result;
  }

  /**
   * Returns the outcomes of a result.
   * @throws 404 when the result does not exist, or the actor may not see the run
   */
  async outcomes(actor: Actor, resultId: string): Promise<TaskOutcome[]> {
    await this.result(actor, resultId);
    return outcomeStore.outcomesOfResult(this.#database, resultId);
  }

  /**
   * Overrides a stage. Always refused, because a failed mandatory task ends the run and leaves nothing to override.
   * @throws 404 when the stage does not exist, or the actor may not see the run; 409 otherwise
   */
  async override(actor: Actor, id: string): Promise<never> {
    const { status } = await this.find(actor, id);
    const detail = `A stage that is ${status} cannot be overridden`;
    throw new AppError('conflict', detail, { title: 'transition not allowed' });
  }

  /** Returns the stages of these runs. */
  async ofRuns(runIds: readonly string[]): Promise<StageView[]> {
    const stages = await store.stagesOfRuns(this.#database, runIds);
    const ids = stages.map(({ id }) => id);
    const byStage = Map.groupBy(await this.#results.ofStages(this.#database, ids), ({ stageId }) => stageId);
    return stages.map((stage) => ({ ...stage, results: byStage.get(stage.id) ?? [] }));
  }
}
