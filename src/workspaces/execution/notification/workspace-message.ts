import { isoTime } from '../../../lib/clock.ts';
import { escapedForSlack, teamsCard, teamsLine } from './forms.ts';
import type { NotifiedConfiguration, WorkspaceStory, WorkspaceTrigger } from './notification.ts';

/** Titles and types of messages, which equal HCP Terraform's. */
const KINDS: Readonly<Record<WorkspaceTrigger, { readonly title: string; readonly type: string }>> = {
  'workspace:auto_destroy_reminder': { title: 'Auto Destroy Reminder', type: 'reminder' },
  'workspace:auto_destroy_run_results': { title: 'Auto Destroy Results', type: 'results' },
};

/** Builds the message about a workspace as a whole. */
export function workspaceMessage(configuration: NotifiedConfiguration, story: WorkspaceStory): object {
  switch (configuration.destinationType) {
    case 'slack':
      return slackMessage(story);
    case 'microsoft-teams':
      return teamsMessage(story);
    default:
      return genericMessage(configuration, story);
  }
}

/**
 * Payload in HCP Terraform's format, version 2:
 * https://developer.hashicorp.com/terraform/cloud-docs/api-docs/notification-configurations#automatic-destroy-runs
 */
function genericMessage({ id }: NotifiedConfiguration, story: WorkspaceStory): object {
  const { destroyAt, origin, runCreatedAt, runId, runStatus, text, trigger } = story;
  const { title, type } = KINDS[trigger];
  const hasNoRun = type === 'results' && runId === null;
  return {
    payload_version: '2',
    notification_configuration_id: id,
    notification_configuration_url: `${origin}/api/v2/notification-configurations/${id}`,
    trigger_scope: 'workspace',
    trigger,
    message: title,
    details: {
      auto_destroy_at: destroyAt === null ? null : isoTime(destroyAt),
      run_created_at: runCreatedAt === null ? null : isoTime(runCreatedAt),
      run_status: runStatus,
      run_external_id: runId,
      run_create_error_message: hasNoRun ? text : null,
      trigger_type: type,
      text,
      workspace_id: story.workspaceId,
      workspace_name: story.workspaceName,
      organization_name: story.organizationName,
    },
  };
}

function slackMessage(story: WorkspaceStory): object {
  const sentence = sentenceOf(story);
  return {
    text: escapedForSlack(sentence),
    attachments: [
      {
        fallback: escapedForSlack(sentence),
        color: story.trigger === 'workspace:auto_destroy_reminder' ? 'warning' : '#7f7f7f',
        title: escapedForSlack(story.runId ?? story.workspaceName),
        title_link: placeOf(story).url,
        text: escapedForSlack(story.text),
        fields: factsOf(story).map(([title, value]) => ({ title, value: escapedForSlack(value), short: true })),
        ts: Math.floor(story.happenedAt / 1000),
      },
    ],
  };
}

function teamsMessage(story: WorkspaceStory): object {
  const lines = factsOf(story).map(([title, value]) => teamsLine(`${title}: ${value}`));
  const body = [teamsLine(sentenceOf(story), { weight: 'Bolder' }), teamsLine(story.text), ...lines];
  return teamsCard(body, placeOf(story));
}

/** Sentence that names the workspace. */
export const sentenceOf = ({ organizationName, workspaceName, trigger }: WorkspaceStory): string =>
  `${organizationName}/${workspaceName}: ${KINDS[trigger].title}`;

/** Page of the console: the run, or else the workspace. */
export function placeOf({ origin, organizationName, workspaceName, runId }: WorkspaceStory) {
  const workspace = `${origin}/app/${organizationName}/workspaces/${workspaceName}`;
  if (runId === null) return { title: 'Open the workspace', url: workspace };
  return { title: 'Open the run', url: `${origin}/app/${organizationName}/${workspaceName}/runs/${runId}` };
}

/** Facts besides the sentence. */
export function factsOf({ destroyAt, runStatus }: WorkspaceStory): (readonly [title: string, value: string])[] {
  return [
    ...(destroyAt === null ? [] : [['Destroy run', isoTime(destroyAt)] as const]),
    ...(runStatus === null ? [] : [['Status', runStatus] as const]),
  ];
}
