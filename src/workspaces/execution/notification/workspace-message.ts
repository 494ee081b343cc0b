import { isoTime } from '../../../lib/clock.ts';
import type { WorkspaceStory, WorkspaceTrigger } from './notification.ts';
import type { Summary } from './summary.ts';

/** Titles and types of messages, which equal HCP Terraform's. */
const KINDS: Readonly<Record<WorkspaceTrigger, { readonly title: string; readonly type: string }>> = {
  'workspace:auto_destroy_reminder': { title: 'Auto Destroy Reminder', type: 'reminder' },
  'workspace:auto_destroy_run_results': { title: 'Auto Destroy Results', type: 'results' },
};

/**
 * Payload about a workspace in HCP Terraform's format, version 2:
 * https://developer.hashicorp.com/terraform/cloud-docs/api-docs/notification-configurations#automatic-destroy-runs
 */
export function workspacePayload(id: string, story: WorkspaceStory): object {
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

/** Message about a workspace for people. */
export function workspaceSummary(story: WorkspaceStory): Summary {
  const { destroyAt, happenedAt, origin, organizationName, runId, runStatus, text, trigger, workspaceName } = story;
  const workspace = `${origin}/app/${organizationName}/workspaces/${workspaceName}`;
  const isReminder = trigger === 'workspace:auto_destroy_reminder';
  return {
    sentence: `${organizationName}/${workspaceName}: ${KINDS[trigger].title}`,
    detail: text,
    subject: runId === null ? ['Workspace', workspaceName] : ['Run', runId],
    facts: [
      ...(destroyAt === null ? [] : [['Destroy run', isoTime(destroyAt)] as const]),
      ...(runStatus === null ? [] : [['Status', runStatus] as const]),
    ],
    color: isReminder ? 'warning' : '#7f7f7f',
    link:
      runId === null
        ? { title: 'Open the workspace', url: workspace }
        : { title: 'Open the run', url: `${workspace}/runs/${runId}` },
    needsAction: isReminder,
    at: happenedAt,
  };
}
