import { isoTime } from '../../../lib/clock.ts';
import { commitMembers } from '../configuration-version/commit-members.ts';
import type { RunTask } from './run-task.ts';

/**
 * Builds the verification request: the format of a real request, without a run. Services recognise it by its access
 * token and stage, and respond with status 200 without action.
 */
export function verificationOf({ organizationName, origin }: RunTask, now: number): object {
  return {
    payload_version: 1,
    stage: 'test',
    access_token: 'test-token',
    capabilities: { outcomes: true },
    configuration_version_download_url: `${origin}/api/v2/configuration-versions/cv-test/download`,
    configuration_version_id: 'cv-test',
    is_speculative: false,
    organization_name: organizationName,
    run_app_url: `${origin}/app/${organizationName}/test/runs/run-test`,
    run_created_at: isoTime(now),
    run_created_by: 'test',
    run_id: 'run-test',
    run_message: 'Verification of a run task',
    task_result_callback_url: `${origin}/api/v2/task-results/taskrs-test/callback`,
    task_result_enforcement_level: 'test',
    task_result_id: 'taskrs-test',
    ...commitMembers(undefined),
    workspace_app_url: `${origin}/app/${organizationName}/test`,
    workspace_id: 'ws-test',
    workspace_name: 'test',
    workspace_working_directory: null,
  };
}
