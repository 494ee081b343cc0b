import { isoTime } from '../../../lib/clock.ts';
import type { Ingress } from '../configuration-version/configuration-version.ts';
import { commitMembers } from '../configuration-version/ingress-document.ts';
import { assessmentMessage } from './assessment-message.ts';
import { escapedForSlack, teamsCard, teamsLine } from './forms.ts';
import {
  type AssessmentStory,
  isOfAssessment,
  isOfWorkspace,
  type NotifiedConfiguration,
  type RunNews,
  type RunTrigger,
  type WorkspaceStory,
} from './notification.ts';
import { workspaceMessage } from './workspace-message.ts';

/** Facts about a run for messages, with user names and the run's URL. */
export interface Story extends RunNews {
  readonly runUrl: string;
  /** Name of the user who started the run; null if no user is named. */
  readonly createdByName: string | null;
  readonly updatedByName: string | null;
  /** Commit of the run; undefined for an upload. */
  readonly commit: Ingress | undefined;
}

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
 * Maximum length of a run's message in Slack and Teams. Generic webhooks get the whole text.
 * @limit message of a run in Slack and Teams, characters -> the message is cut
 */
const MAX_READ = 500;

/** Subject of a message with all that the message shows. */
export type AnyStory = Story | AssessmentStory | WorkspaceStory;

/** Builds the message about a run, an assessment or a workspace. Without any, the verification message. */
export function messageOf(configuration: NotifiedConfiguration, story?: AnyStory): object {
  if (story !== undefined && isOfAssessment(story)) return assessmentMessage(configuration, story);
  if (story !== undefined && isOfWorkspace(story)) return workspaceMessage(configuration, story);
  switch (configuration.destinationType) {
    case 'slack':
      return slackMessage(configuration, story);
    case 'microsoft-teams':
      return teamsMessage(configuration, story);
    default:
      return genericMessage(configuration, story);
  }
}

function verification({ name }: NotifiedConfiguration): string {
  return `Verification of ${name}`;
}

/** Payload in HCP Terraform's format, version 1. */
function genericMessage(configuration: NotifiedConfiguration, story: Story | undefined): object {
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
        message: story ? SENTENCES[story.trigger] : verification(configuration),
        trigger: story?.trigger ?? 'verification',
        run_status: story?.runStatus ?? null,
        run_updated_at: story ? isoTime(story.runUpdatedAt) : null,
        run_updated_by: story?.updatedByName ?? null,
      },
    ],
  };
}

/**
 * Message in the format of Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks;
 * https://docs.slack.dev/reference/surfaces/formatting
 */
function slackMessage(configuration: NotifiedConfiguration, story: Story | undefined): object {
  if (story === undefined) return { text: escapedForSlack(verification(configuration)) };
  const sentence = SENTENCES[story.trigger];
  const place = `${story.organizationName}/${story.workspaceName}`;
  return {
    text: escapedForSlack(`${place}: ${sentence}`),
    attachments: [
      {
        fallback: escapedForSlack(`${place}: ${sentence} (${story.runId})`),
        color: COLORS[story.trigger] ?? '#7f7f7f',
        title: escapedForSlack(story.runId),
        title_link: story.runUrl,
        text: escapedForSlack(shortened(story.runMessage)),
        fields: factsOf(story).map(([title, value]) => ({ title, value: escapedForSlack(value), short: true })),
        ts: Math.floor(story.runUpdatedAt / 1000),
      },
    ],
  };
}

function teamsMessage(configuration: NotifiedConfiguration, story: Story | undefined): object {
  if (story === undefined) return teamsCard([teamsLine(verification(configuration))]);
  return teamsCard(teamsLines(story), { title: 'Open the run', url: story.runUrl });
}

function teamsLines(story: Story): object[] {
  return [
    teamsLine(`${story.organizationName}/${story.workspaceName}: ${SENTENCES[story.trigger]}`, { weight: 'Bolder' }),
    teamsLine(shortened(story.runMessage)),
    ...[['Run', story.runId] as const, ...factsOf(story)].map(([title, value]) => teamsLine(`${title}: ${value}`)),
  ];
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
