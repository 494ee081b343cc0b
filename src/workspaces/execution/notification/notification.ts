import type { Identifier } from '../../jsonapi/document.ts';
import type { AssessmentResult } from '../lifecycle/assessment.ts';
import type { DeliveryResponse } from '../webhook/sender.ts';

/** Where messages go, each in the form that is understood there. */
export const DESTINATION_TYPES = ['generic', 'slack', 'microsoft-teams'] as const;
/** One of DESTINATION_TYPES. */
export type DestinationType = (typeof DESTINATION_TYPES)[number];

/** What is told of a run, in the order in which it can happen. */
const RUN_TRIGGERS = [
  'run:created',
  'run:planning',
  'run:needs_attention',
  'run:applying',
  'run:completed',
  'run:errored',
] as const;
/** One of RUN_TRIGGERS. */
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** What is told of an assessment. */
const ASSESSMENT_TRIGGERS = ['assessment:drifted', 'assessment:failed', 'assessment:check_failure'] as const;
/** One of ASSESSMENT_TRIGGERS. */
export type AssessmentTrigger = (typeof ASSESSMENT_TRIGGERS)[number];

/** What a workspace can be asked to tell: of auto-destroy nothing happens yet, so that it is only kept. */
export const TRIGGERS = [
  ...RUN_TRIGGERS,
  ...ASSESSMENT_TRIGGERS,
  'workspace:auto_destroy_reminder',
  'workspace:auto_destroy_run_results',
] as const;
/** One of TRIGGERS. */
export type Trigger = (typeof TRIGGERS)[number];

/** Who is told what of the runs of a workspace (facts §6.13). Times are milliseconds since 1970. */
export interface NotificationConfiguration {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly destinationType: DestinationType;
  readonly enabled: boolean;
  readonly triggers: readonly Trigger[];
  /** Who knows it may write there: it is shown to those who manage it, and to nobody else. */
  readonly url: string;
  /** Signs what is sent; never shown. Null for none. */
  readonly token: string | null;
  /** The newest first. */
  readonly responses: readonly DeliveryResponse[];
  /** Of the addresses in messages: `https://keeper.example.com:8443`. */
  readonly origin: string;
  /** Grows with each change that people make. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Where something has happened. */
interface InWorkspace {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly organizationName: string;
}

/** What has happened to a run, as it was then. Times are milliseconds since 1970. */
export interface RunNews extends InWorkspace {
  readonly trigger: RunTrigger;
  readonly runId: string;
  readonly runMessage: string;
  readonly runStatus: string;
  readonly runCreatedAt: number;
  readonly runCreatedBy: Identifier;
  readonly runUpdatedAt: number;
  /** Null where nobody asked for it. */
  readonly runUpdatedBy: Identifier | null;
}

/** What came of an assessment, and of the one before it. */
export interface AssessmentNews extends InWorkspace {
  readonly trigger: AssessmentTrigger;
  readonly result: AssessmentResult;
  /** Null for the first. */
  readonly prior: AssessmentResult | null;
}

/** What is told. */
export type News = RunNews | AssessmentNews;

/** Whether it is of an assessment. */
export function isOfAssessment<Other extends { readonly trigger: Trigger }>(
  news: AssessmentNews | Other,
): news is AssessmentNews {
  return (ASSESSMENT_TRIGGERS as readonly Trigger[]).includes(news.trigger);
}

/** What is told of an assessment, with where it is. */
export interface AssessmentStory extends AssessmentNews {
  /** `https://keeper.example.com:8443` */
  readonly origin: string;
}

/** Whom a message is for. */
export type NotifiedConfiguration = Pick<NotificationConfiguration, 'id' | 'name' | 'destinationType'>;
