import type { Queries } from '../../../storage/index.ts';

/**
 * Progress of a plan. waiting: no agent executes it yet. running: an agent executes it, or a run task evaluates it.
 * changes, unchanged: it is complete.
 */
export type PlanProgress = 'waiting' | 'running' | 'changes' | 'unchanged' | 'failed' | 'canceled';

/**
 * Progress of an apply. none: nothing is applied. confirmation: the plan waits for a user. discarded: a user decided not
 * to apply the plan.
 */
export type ApplyProgress = 'none' | 'confirmation' | 'running' | 'applied' | 'failed' | 'canceled' | 'discarded';

/** State of a run, as far as results are reported for its commit. It has no values of resources. */
export interface RunResult {
  readonly runId: string;
  readonly plan: PlanProgress;
  readonly apply: ApplyProgress;
  /** Number of approvals that the apply waits for; undefined for none. */
  readonly approvals?: number;
  /** Number of resources in the plan. */
  readonly add: number;
  readonly change: number;
  readonly destroy: number;
}

/** A resource that a plan changes. */
export interface ChangedResource {
  /** Address. The author of the configuration chooses parts of it. */
  readonly address: string;
  readonly action: 'add' | 'change' | 'replace' | 'destroy';
}

/** Changes of a plan, without values. */
export interface ChangedResources {
  /** In the order of the plan. */
  readonly resources: readonly ChangedResource[];
  /** Whether the plan has more. */
  readonly isCut: boolean;
}

/** Results of runs, which the execution module reads. */
export interface RunResults {
  /** Returns the results of those runs that still exist. */
  of(db: Queries, runIds: readonly string[]): Promise<readonly RunResult[]>;
  /** Returns the resources that the plan of a run changes, `most` at most; undefined if they are not known. */
  changedResources(runId: string, most: number): Promise<ChangedResources | undefined>;
}
