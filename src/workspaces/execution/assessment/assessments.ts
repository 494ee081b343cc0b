import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { conflict, notFound } from '../../jsonapi/errors.ts';
import { type Actor, principalIn } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceView } from '../../workspace/index.ts';
import type { AssessmentResult } from '../lifecycle/assessment.ts';
import type { ReadOutput, RunOutputs } from '../output/run-outputs.ts';
import type { RunPhases } from '../run/phases.ts';
import type { Beginning } from './beginning.ts';
import * as store from './store.ts';

/** Dependencies of `Assessments`. */
export interface AssessmentsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly workspaces: WorkspaceFinder;
  readonly outputs: RunOutputs;
  readonly phases: RunPhases;
  readonly beginning: Beginning;
}

/** Uploaded outputs of an assessment: the names in its URLs, and the names of the same outputs of a plan. */
export const FILES = { 'json-output': 'json-output', 'json-schema': 'provider-schemas', 'log-output': null } as const;
/** Name of one output. */
export type AssessmentFile = keyof typeof FILES;

/** Health assessments: drift of workspaces. */
export class Assessments {
  readonly #options: AssessmentsOptions;

  constructor(options: AssessmentsOptions) {
    this.#options = options;
  }

  /**
   * Finds an assessment.
   * @throws 404 when it does not exist, or the actor may not see it
   */
  async find(actor: Actor, id: string): Promise<AssessmentResult> {
    const result = await store.findResult(this.#options.database, id);
    if (result === undefined) throw notFound();
    await this.#options.workspaces.find(actor, { id: result.workspaceId }, 'can-read-assessment-results');
    return result;
  }

  /**
   * Returns the newest assessment of a workspace.
   * @throws 404 when it does not exist, or the actor may not see it
   */
  async current(actor: Actor, workspaceId: string): Promise<AssessmentResult> {
    const { workspaces } = this.#options;
    const { current } = await workspaces.find(actor, { id: workspaceId }, 'can-read-assessment-results');
    const [result] = await this.named([current.assessmentResultId]);
    if (result === undefined) throw notFound();
    return result;
  }

  /** Returns the assessments with these ids, without a permission check. */
  named(ids: readonly (string | null)[]): Promise<AssessmentResult[]> {
    const given = ids.flatMap((id) => id ?? []);
    return store.findResults(this.#options.database, given);
  }

  /**
   * Returns the plan, its schemas or its log, which contain secrets; undefined if the agent uploaded none.
   * @throws 404 unless the actor administers the workspace. An organization token executes no runs and sees none of
   *   them
   */
  async file(actor: Actor, id: string, file: AssessmentFile): Promise<ReadOutput | undefined> {
    const { outputs, phases, workspaces } = this.#options;
    const { runId, workspaceId } = await this.find(actor, id);
    if (actor.kind === 'organization') throw notFound();
    await workspaces.find(actor, { id: workspaceId }, 'can-manage-assessments');
    const plan = await phases.planOf(runId);
    if (plan === undefined) return undefined;
    const kind = FILES[file];
    return kind === null ? { size: plan.logBytes, content: phases.logChunks(plan) } : outputs.open(kind, plan.id);
  }

  /**
   * Starts an assessment now, in addition to the daily ones and even if those are disabled.
   * @throws 404 when the actor may not, or uses an organization token; 409 with the reason when the workspace cannot
   *   be assessed now
   */
  async assess(actor: Actor, workspaceId: string): Promise<WorkspaceView> {
    const { beginning, clock, database, workspaces } = this.#options;
    const workspace = await workspaces.find(actor, { id: workspaceId }, 'can-manage-assessments');
    if (actor.kind === 'organization') throw notFound();
    const by = principalIn(actor, workspace.organizationId);
    const obstacle = await database.transaction((tx) => beginning.begin(tx, workspaceId, by, clock()));
    if (obstacle !== undefined) throw conflict(obstacle.reason);
    return workspace;
  }
}
