import { isoTime } from '../../../lib/clock.ts';
import { commitMembers } from '../configuration-version/commit-members.ts';
import type { Ingress } from '../configuration-version/configuration-version.ts';
import { assessmentPayload, assessmentSummary } from './assessment-message.ts';
import { digestPayload, digestSummary } from './digest/message.ts';
import { escapedForSlack, teamsCard, teamsLine } from './forms.ts';
import {
  type AssessmentStory,
  type DigestStory,
  isDigest,
  isOfAssessment,
  isOfWorkspace,
  type NotifiedConfiguration,
  type RunNews,
  type RunTrigger,
  type WorkspaceStory,
} from './notification.ts';
import { type Summary, slackMessage, teamsMessage } from './summary.ts';
import { workspacePayload, workspaceSummary } from './workspace-message.ts';

/** Approvals of a run: the required number, and those given. */
export interface ApprovalCount {
  readonly required: number;
  readonly given: number;
}

/** Facts about a run for messages, with user names and the run's URL. */
export interface Story extends RunNews {
  readonly runUrl: string;
  /** Name of the user who started the run; null if no user is named. */
  readonly createdByName: string | null;
  readonly updatedByName: string | null;
  /** Commit of the run; undefined for an upload. */
  readonly commit: Ingress | undefined;
  /** Approvals; undefined if the run needs none. */
  readonly approvals: ApprovalCount | undefined;
}

/** Subject of a message with all that the message shows. */
export type AnyStory = Story | AssessmentStory | WorkspaceStory | DigestStory;

const SENTENCES: Readonly<Record<RunTrigger, string>> = {
  'run:created': 'Run created',
  'run:planning': 'Run planning',
  'run:needs_attention': 'Run needs attention: it waits for a decision',
  'run:applying': 'Run applying',
  'run:completed': 'Run completed',
  'run:errored': 'Run ended early',
};

/** Colour of the bar beside a Slack message. */
const COLORS: Partial<Readonly<Record<RunTrigger, string>>> = {
  'run:needs_attention': 'warning',
  'run:completed': 'good',
  'run:errored': 'danger',
};

/**
 * Maximum length of a run's message in Slack, Teams and emails. Generic webhooks get the whole text.
 * @limit message of a run in Slack, Teams and emails, characters -> the message is cut
 */
const MAX_READ = 500;

/** Builds the message for a webhook. Without a story, the verification message. */
export function messageOf(configuration: NotifiedConfiguration, story?: AnyStory): object {
  const { destinationType, name } = configuration;
  if (destinationType === 'slack') {
    return story ? slackMessage(summaryOf(story)) : { text: escapedForSlack(verificationOf(name)) };
  }
  if (destinationType === 'microsoft-teams') {
    return story ? teamsMessage(summaryOf(story)) : teamsCard([teamsLine(verificationOf(name))]);
  }
  return genericMessage(configuration, story);
}

/** Sentence of a test message. */
export function verificationOf(name: string): string {
  return `Verification of ${name}`;
}

/** Returns the message for people. */
export function summaryOf(story: AnyStory): Summary {
  if (isDigest(story)) return digestSummary(story);
  if (isOfAssessment(story)) return assessmentSummary(story);
  return isOfWorkspace(story) ? workspaceSummary(story) : runSummary(story);
}

function genericMessage(configuration: NotifiedConfiguration, story: AnyStory | undefined): object {
  if (story === undefined) return runPayload(configuration, undefined);
  if (isDigest(story)) return digestPayload(configuration.id, story);
  if (isOfAssessment(story)) return assessmentPayload(configuration.id, story);
  return isOfWorkspace(story) ? workspacePayload(configuration.id, story) : runPayload(configuration, story);
}

/** Payload in HCP Terraform's format, version 1. */
function runPayload(configuration: NotifiedConfiguration, story: Story | undefined): object {
  return {
    payload_version: 1,
    notification_configuration_id: configuration.id,
    run_url: story?.runUrl ?? null,
    run_id: story?.runId ?? null,
    run_message: story?.runMessage ?? null,
    run_created_at: story ? isoTime(story.runCreatedAt) : null,
    run_created_by: story?.createdByName ?? null,
    workspace_id: story?.workspaceId ?? null,
    workspace_name: story?.workspaceName ?? null,
    organization_name: story?.organizationName ?? null,
    ...(story?.commit && commitMembers(story.commit)),
    notifications: [
      {
        message: story ? `${SENTENCES[story.trigger]}${approvalsIn(story)}` : verificationOf(configuration.name),
        trigger: story?.trigger ?? 'verification',
        run_status: story?.runStatus ?? null,
        run_updated_at: story ? isoTime(story.runUpdatedAt) : null,
        run_updated_by: story?.updatedByName ?? null,
      },
    ],
  };
}

function runSummary(story: Story): Summary {
  const { organizationName, runId, runMessage, runUpdatedAt, runUrl, trigger, workspaceName } = story;
  const needsAction = trigger === 'run:needs_attention';
  return {
    sentence: `${organizationName}/${workspaceName}: ${SENTENCES[trigger]}${approvalsIn(story)}`,
    detail: shortened(runMessage),
    subject: ['Run', runId],
    facts: factsOf(story),
    color: COLORS[trigger] ?? '#7f7f7f',
    link: { title: needsAction ? 'Review and confirm' : 'Open the run', url: runUrl },
    needsAction,
    at: runUpdatedAt,
  };
}

/** Text about missing approvals, to follow a sentence. */
function approvalsIn({ approvals, trigger }: Story): string {
  if (trigger !== 'run:needs_attention' || approvals === undefined) return '';
  return `, ${approvals.given} of ${approvals.required} ${approvals.required === 1 ? 'approval' : 'approvals'}`;
}

function factsOf({ runStatus, createdByName, updatedByName }: Story): (readonly [title: string, value: string])[] {
  return [
    ['Status', runStatus],
    ...(createdByName === null ? [] : [['Created by', createdByName] as const]),
    ...(updatedByName === null ? [] : [['Updated by', updatedByName] as const]),
  ];
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_READ ? text : `${characters.slice(0, MAX_READ - 1).join('')}…`;
}
