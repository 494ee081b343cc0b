import type { DeliveryResponse, Verdict } from '../../delivery/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { AssessmentResult } from '../lifecycle/assessment.ts';
import type { WorkspaceNews } from '../lifecycle/workspace-news.ts';

/** Types of receivers, each with its message format. */
export const DESTINATION_TYPES = ['generic', 'slack', 'microsoft-teams'] as const;
/** One of DESTINATION_TYPES: the type of a receiver. */
export type DestinationType = (typeof DESTINATION_TYPES)[number];

/**
 * Labels of the metric of notifications. failed: will be retried. not_queued: too many are waiting. verified and
 * not_verified: for verifications.
 */
export type DeliveryLabels = {
  readonly destination: DestinationType;
  readonly outcome: Verdict | 'not_queued' | 'verified' | 'not_verified';
};

/** Triggers of runs, in the order of a run. */
const RUN_TRIGGERS = [
  'run:created',
  'run:planning',
  'run:needs_attention',
  'run:applying',
  'run:completed',
  'run:errored',
] as const;
/** One of RUN_TRIGGERS: a trigger of runs. */
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** Triggers of assessments. */
const ASSESSMENT_TRIGGERS = ['assessment:drifted', 'assessment:failed', 'assessment:check_failure'] as const;
/** One of ASSESSMENT_TRIGGERS: a trigger of assessments. */
export type AssessmentTrigger = (typeof ASSESSMENT_TRIGGERS)[number];

/** Triggers of a workspace as a whole. */
const WORKSPACE_TRIGGERS = ['workspace:auto_destroy_reminder', 'workspace:auto_destroy_run_results'] as const;
/** One of WORKSPACE_TRIGGERS: a trigger of a workspace as a whole. */
export type WorkspaceTrigger = (typeof WORKSPACE_TRIGGERS)[number];

/** All triggers of a workspace. */
export const TRIGGERS = [...RUN_TRIGGERS, ...ASSESSMENT_TRIGGERS, ...WORKSPACE_TRIGGERS] as const;
/** One of TRIGGERS: any trigger of a workspace. */
export type Trigger = (typeof TRIGGERS)[number];

/** Notification configuration of a workspace. Times are milliseconds since 1970. */
export interface NotificationConfiguration {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly destinationType: DestinationType;
  readonly enabled: boolean;
  readonly triggers: readonly Trigger[];
  /** Secret URL: its knowledge permits posting, so only managers of the configuration see it. */
  readonly url: string;
  /** Key that signs messages. Never shown. Null for none. */
  readonly token: string | null;
  /** Recent responses, newest first. */
  readonly responses: readonly DeliveryResponse[];
  /** Origin of URLs in messages, such as `https://keeper.example.com:8443`. */
  readonly origin: string;
  /** Increases with each change by users (optimistic concurrency). */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Workspace that a message is about. */
interface InWorkspace {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly organizationName: string;
}

/** Snapshot of a run at an event. Times are milliseconds since 1970. */
export interface RunNews extends InWorkspace {
  readonly trigger: RunTrigger;
  readonly runId: string;
  readonly runMessage: string;
  readonly runStatus: string;
  readonly runCreatedAt: number;
  readonly runCreatedBy: Identifier;
  readonly runCreatedByName: string;
  readonly runUpdatedAt: number;
  /** Actor of the event; null for events of the server. */
  readonly runUpdatedBy: Identifier | null;
}

/** Results of an assessment and the previous one. */
export interface AssessmentNews extends InWorkspace {
  readonly trigger: AssessmentTrigger;
  readonly result: AssessmentResult;
  /** Result of the previous assessment; null for the first assessment. */
  readonly prior: AssessmentResult | null;
}

/** News about a workspace with its names. Times are milliseconds since 1970. */
export interface NamedWorkspaceNews extends InWorkspace, WorkspaceNews {
  readonly happenedAt: number;
  /** Creation of the run; null if there is none. */
  readonly runCreatedAt: number | null;
}

/** Subject of a message: a run, an assessment or a workspace. */
export type News = RunNews | AssessmentNews | NamedWorkspaceNews;

/** Returns whether the subject is an assessment. */
export function isOfAssessment<Other extends { readonly trigger: Trigger }>(
  news: AssessmentNews | Other,
): news is AssessmentNews {
  return (ASSESSMENT_TRIGGERS as readonly Trigger[]).includes(news.trigger);
}

/** Returns whether the subject is a workspace as a whole. */
export function isOfWorkspace<Other extends { readonly trigger: Trigger }>(
  news: NamedWorkspaceNews | Other,
): news is NamedWorkspaceNews {
  return (WORKSPACE_TRIGGERS as readonly Trigger[]).includes(news.trigger);
}

/** An assessment with its workspace. */
export interface AssessmentStory extends AssessmentNews {
  /** Origin of URLs, such as `https://keeper.example.com:8443`. */
  readonly origin: string;
}

/** News about a workspace, with the origin of URLs. */
export interface WorkspaceStory extends NamedWorkspaceNews {
  readonly origin: string;
}

/** Receiver of a message. */
export type NotifiedConfiguration = Pick<NotificationConfiguration, 'id' | 'name' | 'destinationType'>;
