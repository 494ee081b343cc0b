import type { EnforcementLevel, Stage } from '../run-task/run-task.ts';

/** How far a stage has come. Nothing leads to `awaiting_override` here: it belongs to policies, of which there are none. */
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
/** One of STAGE_STATUSES. */
export type StageStatus = (typeof STAGE_STATUSES)[number];

/** What a task says of a run. Command lines fail on any other word. */
export const RESULT_STATUSES = ['pending', 'running', 'passed', 'failed', 'errored', 'unreachable'] as const;
/** One of RESULT_STATUSES. */
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** Times of each status, in milliseconds since 1970. */
type Timestamps = Readonly<Record<string, number>>;

/** Where in a run tasks judge it (facts §6.14). Times are milliseconds since 1970. */
export interface TaskStage {
  readonly id: string;
  readonly runId: string;
  readonly stage: Stage;
  readonly status: StageStatus;
  readonly timestamps: Timestamps;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What one task says at a stage. Times are milliseconds since 1970. */
export interface TaskResult {
  readonly id: string;
  readonly stageId: string;
  readonly organizationId: string;
  readonly taskId: string;
  /** As they were when the run was made. */
  readonly taskName: string;
  readonly taskUrl: string;
  /** Null for a task that judges all workspaces. */
  readonly workspaceTaskId: string | null;
  readonly enforcementLevel: EnforcementLevel;
  readonly status: ResultStatus;
  readonly message: string;
  /** Where people read more; empty for nowhere. */
  readonly url: string;
  readonly timestamps: Timestamps;
  /** Null until its stage begins. */
  readonly beganAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Something in particular that a result is about. */
export interface TaskOutcome {
  readonly id: string;
  readonly resultId: string;
  readonly outcomeId: string;
  readonly description: string;
  /** Markdown. */
  readonly body: string;
  readonly url: string;
  readonly tags: Readonly<Record<string, readonly { readonly label: string; readonly level?: string }[]>>;
}

/** Whether nothing more comes of it. */
export function isTaskOver(status: ResultStatus | StageStatus): boolean {
  return !['pending', 'running', 'awaiting_override'].includes(status);
}

/** Whether its task was asked, and is to say something still. */
export function isAwaited({ status, beganAt }: TaskResult): boolean {
  return beganAt !== null && !isTaskOver(status);
}
