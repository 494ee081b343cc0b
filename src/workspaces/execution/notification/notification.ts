import type { DeliveryResponse, Verdict } from '../../delivery/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { AssessmentResult } from '../lifecycle/assessment.ts';
import type { WorkspaceNews } from '../lifecycle/workspace-news.ts';

/** Types of receivers, each with its message format. */
export const DESTINATION_TYPES = ['generic', 'slack', 'microsoft-teams', 'email'] as const;
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

/** Triggers that teams may store, as in HCP Terraform. They never fire, because this server has no change requests. */
export const STORED_TRIGGERS = ['change_request:created', 'team:change_request'] as const;
/** A trigger that a configuration may have. */
export type StoredTrigger = Trigger | (typeof STORED_TRIGGERS)[number];

/** Daily digest of what waits. */
export interface Digest {
  /** Hour of the day, 0 to 23. */
  readonly hour: number;
  /** Name of the IANA time zone of the hour. */
  readonly 'time-zone': string;
  /** Hours that a run must have waited for its confirmation. */
  readonly 'waiting-hours': number;
}

/** Notification configuration. Times are milliseconds since 1970. */
export interface NotificationConfiguration extends Owner {
  readonly id: string;
  readonly name: string;
  readonly destinationType: DestinationType;
  readonly enabled: boolean;
  readonly triggers: readonly StoredTrigger[];
  /** Secret URL: its knowledge permits posting, so only managers of the configuration see it. Empty for emails. */
  readonly url: string;
  /** IDs of the users who get emails. */
  readonly emailUsers: readonly string[];
  /** Further addresses that get emails. */
  readonly emailAddresses: readonly string[];
  /** Daily digest; null for none. */
  readonly digest: Digest | null;
  /** Time of the next digest; null for none. */
  readonly digestAt: number | null;
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

/** Configuration with what a client sees besides. */
export interface ConfigurationView extends NotificationConfiguration {
  readonly organizationName: string;
  /** Settings without an effect, in words; null if all have one. */
  readonly notice: string | null;
}

/** Scope of a configuration. At most one ID has a value; without any, it is the organization. */
export interface Owner {
  readonly organizationId: string;
  readonly workspaceId: string | null;
  readonly projectId: string | null;
  readonly teamId: string | null;
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

/** Subject of a message: a run, an assessment, a workspace, or what waits. */
export type News = RunNews | AssessmentNews | NamedWorkspaceNews | DigestNews;

/** Message in the outbox. */
export type StoredMessage = News & {
  /** Keys of the recipients of an email: IDs of users, and addresses. Absent: all of the configuration. */
  readonly to?: readonly string[];
};

/** Workspace in a digest. */
export interface DigestEntry {
  /** Absent in digests that an earlier version stored. */
  readonly workspaceId?: string;
  readonly workspaceName: string;
  /** Run to open; null for the workspace itself. */
  readonly runId: string | null;
  /** Since when it waits, milliseconds since 1970; null if that is unknown. */
  readonly since: number | null;
}

/** One kind of what waits. */
export interface DigestSection {
  readonly kind: 'confirmation' | 'errored' | 'drifted' | 'auto-destroy';
  readonly total: number;
  /** The first ones. */
  readonly entries: readonly DigestEntry[];
}

/** List of all that waits in the scope of a configuration, once a day. Times are milliseconds since 1970. */
export interface DigestNews {
  readonly trigger: 'digest';
  readonly organizationName: string;
  /** Workspace, project or team; null for the whole organization. */
  readonly scopeName: string | null;
  readonly sections: readonly DigestSection[];
  readonly happenedAt: number;
}

/** Returns whether the subject is what waits. */
export function isDigest<Other extends { readonly trigger: string }>(news: DigestNews | Other): news is DigestNews {
  return news.trigger === 'digest';
}

/** Returns whether the subject is an assessment. */
export function isOfAssessment<Other extends { readonly trigger: string }>(
  news: AssessmentNews | Other,
): news is AssessmentNews {
  return (ASSESSMENT_TRIGGERS as readonly string[]).includes(news.trigger);
}

/** Returns whether the subject is a workspace as a whole. */
export function isOfWorkspace<Other extends { readonly trigger: string }>(
  news: NamedWorkspaceNews | Other,
): news is NamedWorkspaceNews {
  return (WORKSPACE_TRIGGERS as readonly string[]).includes(news.trigger);
}

/** An assessment with its workspace. */
export interface AssessmentStory extends AssessmentNews {
  /** Origin of URLs, such as `https://keeper.example.com:8443`. */
  readonly origin: string;
}

/** Digest with the origin of URLs. */
export interface DigestStory extends DigestNews {
  readonly origin: string;
}

/** News about a workspace, with the origin of URLs. */
export interface WorkspaceStory extends NamedWorkspaceNews {
  readonly origin: string;
}

/** Receiver of a message. */
export type NotifiedConfiguration = Pick<NotificationConfiguration, 'id' | 'name' | 'destinationType'>;
