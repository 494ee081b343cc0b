import { isoTime } from '../../../lib/clock.ts';
import { commitMembers } from '../configuration-version/commit-members.ts';
import type { Ingress } from '../configuration-version/configuration-version.ts';
import type { Stage } from '../run-task/run-task.ts';
import type { RequestRow } from './request-store.ts';

/** Parts of a request that are not stored. */
export interface TaskRequestContext {
  /** Callback token for this result only. */
  readonly accessToken: string;
  /** Name of the run's creator; null if the creator has no name. */
  readonly createdByName: string | null;
  /** Commit of the run; undefined for an upload. */
  readonly commit: Ingress | undefined;
}

const WITH_PLAN: readonly Stage[] = ['post_plan', 'pre_apply', 'post_apply'];

/**
 * Returns the request body for a run task service, payload version 1 of HCP Terraform.
 */
export function requestOf(
  row: RequestRow,
  origin: string,
  { accessToken, commit, createdByName }: TaskRequestContext,
): object {
  const api = `${origin}/api/v2`;
  const workspaceUrl = `${origin}/app/${row.organizationName}/${row.workspaceName}`;
  const settings = JSON.parse(row.settings) as { 'working-directory'?: string | null };
  return {
    payload_version: 1,
    stage: row.stage,
    access_token: accessToken,
    capabilities: { outcomes: true },
    configuration_version_download_url: `${api}/configuration-versions/${row.configurationVersionId}/download`,
    configuration_version_id: row.configurationVersionId,
    is_speculative: row.operation === 'plan_only',
    organization_name: row.organizationName,
    ...(WITH_PLAN.includes(row.stage) && { plan_json_api_url: `${api}/plans/${row.planId}/json-output` }),
    // `tofu` and `terraform` send users to this page too.
    run_app_url: `${workspaceUrl}/runs/${row.runId}`,
    run_created_at: isoTime(row.runCreatedAt),
    run_created_by: createdByName,
    run_id: row.runId,
    run_message: row.runMessage,
    task_result_callback_url: `${api}/task-results/${row.resultId}/callback`,
    task_result_enforcement_level: row.enforcementLevel,
    task_result_id: row.resultId,
    ...commitMembers(commit),
    workspace_app_url: workspaceUrl,
    workspace_id: row.workspaceId,
    workspace_name: row.workspaceName,
    workspace_working_directory: settings['working-directory'] || null,
  };
}
