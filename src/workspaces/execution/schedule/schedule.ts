import type { RunStatus } from '../lifecycle/status.ts';
import type { CronTimes } from './cron.ts';

/**
 * Work of a schedule: a plan-only run; a run that applies by itself; a refresh-only run that applies by itself; a
 * health assessment.
 */
export const OPERATIONS = ['plan', 'apply', 'refresh', 'drift'] as const;
/** One of OPERATIONS. */
export type ScheduledOperation = (typeof OPERATIONS)[number];

/** Behaviour of a schedule in a workspace that is locked or executes a run. */
export const WHEN_BUSY = ['skip', 'queue'] as const;

/** Results of one occurrence in one workspace: a run started, or why none did: for now, or until something is changed. */
export const OUTCOMES = ['started', 'skipped', 'refused'] as const;
/** One of OUTCOMES. */
export type OutcomeStatus = (typeof OUTCOMES)[number];

/** Settings of a schedule. */
export interface ScheduleSettings extends CronTimes {
  readonly name: string;
  readonly operation: ScheduledOperation;
  /** Longest delay after a time, in seconds. Each workspace has its own delay. */
  readonly jitter: number;
  readonly whenBusy: (typeof WHEN_BUSY)[number];
  readonly paused: boolean;
}

/** Owner of a schedule: a workspace, or a project and so all its workspaces. */
export type ScheduleOwner =
  | { readonly workspaceId: string; readonly projectId: null }
  | { readonly workspaceId: null; readonly projectId: string };

/** A schedule. Times are milliseconds since 1970. */
export interface Schedule extends ScheduleSettings {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string | null;
  readonly projectId: string | null;
  /** Time of the next occurrence, or of the one that is being distributed to the workspaces; null while paused. */
  readonly nextAt: number | null;
  /** Id of the workspace up to which the current occurrence is distributed; empty if none is under way. */
  readonly distributedTo: string;
  /** Time of the last occurrence. */
  readonly occurredAt: number | null;
  /** Time of the clock when that was distributed. */
  readonly firedAt: number | null;
  readonly createdAt: number;
}

/** Result of an occurrence in a workspace. Times are milliseconds since 1970. */
export interface Outcome {
  readonly id: string;
  readonly scheduleId: string;
  readonly workspaceId: string;
  readonly status: OutcomeStatus;
  /** Sentence without a full stop; null if a run started. */
  readonly reason: string | null;
  /** Null if none started, or for a health assessment. */
  readonly runId: string | null;
  readonly occurredAt: number;
  readonly createdAt: number;
}

/** An outcome with the names and the status that documents show. */
export interface ShownOutcome extends Outcome {
  readonly workspaceName: string;
  /** Current status of the run; null if there is none or it was deleted. */
  readonly runStatus: RunStatus | null;
}

/** A schedule as one workspace or its project shows it. */
export interface ShownSchedule extends Schedule {
  /** Workspace in whose list it is; null in other documents. */
  readonly shownFor: string | null;
  /** Whether the workspace is excluded from a schedule of its project. */
  readonly excluded: boolean;
  /** Number of workspaces in which the last occurrence has not started yet. */
  readonly waiting: number;
  /** Time at which the last occurrence starts in that workspace; null if it has started, or in other documents. */
  readonly startsAt: number | null;
  /** Last result in that workspace. */
  readonly last: ShownOutcome | undefined;
}
