import type { EnforcementLevel, Stage } from '../run-task/run-task.ts';

/**
 * Status of a stage. `awaiting_override` never occurs here: it belongs to policies, which this server does not have.
 */
export const STAGE_STATUSES = [
  'pending',
  'running',
  'passed',
  'failed',
  'awaiting_override',
  'canceled',
  'errored',
  'unreachable',
] as const;
/** One of STAGE_STATUSES: the status of a stage. */
export type StageStatus = (typeof STAGE_STATUSES)[number];

/** Status of a task result. `tofu` and `terraform` fail on any other value. */
export const RESULT_STATUSES = ['pending', 'running', 'passed', 'failed', 'errored', 'unreachable'] as const;
/** One of RESULT_STATUSES: the status of a task result. */
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** Time of each status, in milliseconds since 1970. */
type Timestamps = Readonly<Record<string, number>>;

/** A point in a run at which run tasks evaluate it. Times are milliseconds since 1970. */
export interface TaskStage {
  readonly id: string;
  readonly runId: string;
  readonly stage: Stage;
  readonly status: StageStatus;
  readonly timestamps: Timestamps;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Result of one task at a stage. Times are milliseconds since 1970. */
export interface TaskResult {
  readonly id: string;
  readonly stageId: string;
  readonly organizationId: string;
  readonly taskId: string;
  /** Name and URL of the task when the run was created. */
  readonly taskName: string;
  readonly taskUrl: string;
  /** Assignment to the workspace; null for a task of all workspaces. */
  readonly workspaceTaskId: string | null;
  readonly enforcementLevel: EnforcementLevel;
  readonly status: ResultStatus;
  readonly message: string;
  /** Link to more details for users; empty if there is none. */
  readonly url: string;
  readonly timestamps: Timestamps;
  /** Start time; null until the stage of the task starts. */
  readonly beganAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One detailed finding of a result. */
export interface TaskOutcome {
  readonly id: string;
  readonly resultId: string;
  readonly outcomeId: string;
  readonly description: string;
  /** Description of the outcome, in Markdown. */
  readonly body: string;
  readonly url: string;
  readonly tags: Readonly<Record<string, readonly { readonly label: string; readonly level?: string }[]>>;
}

/** Returns whether the status is final. */
export function isTaskOver(status: ResultStatus | StageStatus): boolean {
  return !['pending', 'running', 'awaiting_override'].includes(status);
}

/** Returns whether the task was requested and has not made its final report. */
export function isAwaited({ status, beganAt }: TaskResult): boolean {
  return beganAt !== null && !isTaskOver(status);
}
