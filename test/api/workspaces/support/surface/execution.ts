import { base64 } from '../states.ts';
import {
  AGENT,
  approvalRule,
  COMMENT,
  explorerView,
  notification,
  plan,
  resource,
  runTask,
  schedule,
  trigger,
  workspaces,
  workspaceTask,
} from './bodies.ts';
import type { Expectation } from './expectation.ts';

const CONFIGURATION = { id: 'configuration_version_id' };
const LOG = { data: { attributes: { offset: 0, content: base64('Planning') } } };

/** Agents, configuration versions, runs and notifications. The run is a speculative plan that has not started. */
export const EXECUTION_SURFACE: Readonly<Record<string, Expectation>> = {
  // The stream is endless without a time limit. A user without an organization gets no events.
  'GET /events': { owner: 200, contentType: 'text/event-stream', stranger: 200, agent: 404, query: 'seconds=0' },

  'GET /workspaces/:workspace_id/configuration-versions': { owner: 200 },
  'PUT /configuration-uploads/:link': { owner: 404 },
  'POST /workspaces/:workspace_id/configuration-versions': { owner: 201, body: resource('configuration-versions', {}) },
  'GET /configuration-versions/:id': { owner: 200, as: { id: 'configuration_version_id' } },
  'GET /configuration-versions/:id/ingress-attributes': { owner: 404, as: CONFIGURATION },
  'GET /ingress-attributes/:id': { owner: 404, as: CONFIGURATION },
  'GET /configuration-versions/:id/download': { owner: 404, as: CONFIGURATION },
  'POST /configuration-versions/:id/actions/archive': { owner: 409, as: CONFIGURATION },
  'POST /configuration-versions/:id/actions/soft_delete_backing_data': { owner: 400, as: CONFIGURATION },
  'POST /configuration-versions/:id/actions/restore_backing_data': { owner: 400, as: CONFIGURATION },
  'POST /configuration-versions/:id/actions/permanently_delete_backing_data': { owner: 400, as: CONFIGURATION },

  'GET /workspaces/:workspace_id/run-triggers': { owner: 200, query: 'filter[run-trigger][type]=inbound' },
  'POST /workspaces/:workspace_id/run-triggers': { owner: 201, body: trigger },
  'GET /run-triggers/:id': { owner: 200, as: { id: 'run_trigger_id' } },
  'DELETE /run-triggers/:id': { owner: 204, as: { id: 'run_trigger_id' } },

  'GET /workspaces/:workspace_id/schedules': { owner: 200 },
  'POST /workspaces/:workspace_id/schedules': { owner: 201, body: schedule('second') },
  'GET /projects/:project_id/schedules': { owner: 200 },
  'POST /projects/:project_id/schedules': { owner: 201, body: schedule('second') },
  // It depends on nothing that belongs to anyone.
  'GET /schedules/preview': { owner: 200, stranger: 200, query: 'cron=0+2+*+*+*' },
  'GET /schedules/:schedule_id': { owner: 200 },
  'PATCH /schedules/:schedule_id': { owner: 200, body: resource('schedules', { paused: true }) },
  'DELETE /schedules/:schedule_id': { owner: 204 },
  'GET /schedules/:schedule_id/outcomes': { owner: 200 },
  'POST /schedules/:schedule_id/relationships/excluded-workspaces': {
    ...{ owner: 204, as: { schedule_id: 'project_schedule_id' } },
    body: workspaces('workspace_id'),
  },
  'DELETE /schedules/:schedule_id/relationships/excluded-workspaces': {
    ...{ owner: 204, as: { schedule_id: 'project_schedule_id' } },
    body: workspaces('workspace_id'),
  },

  'GET /workspaces/:workspace_id/approval-rules': { owner: 200 },
  'POST /workspaces/:workspace_id/approval-rules': { owner: 201, body: approvalRule('second') },
  'GET /projects/:project_id/approval-rules': { owner: 200 },
  'POST /projects/:project_id/approval-rules': { owner: 201, body: approvalRule('of the project') },
  'GET /approval-rules/:approval_rule_id': { owner: 200 },
  'PATCH /approval-rules/:approval_rule_id': { owner: 200, body: resource('approval-rules', { name: 'other' }) },
  'DELETE /approval-rules/:approval_rule_id': { owner: 204 },
  'GET /runs/:run_id/approvals': { owner: 200 },
  // The run is a speculative plan. The tests of approvals cover these routes.
  'POST /runs/:run_id/actions/approve': { owner: 409 },
  'POST /runs/:run_id/actions/revoke-approval': { owner: 409 },

  'GET /workspaces/:workspace_id/notification-configurations': { owner: 200 },
  'POST /workspaces/:workspace_id/notification-configurations': { owner: 201, body: notification('second') },
  'GET /workspaces/:workspace_id/inherited-notification-configurations': { owner: 200 },
  'GET /projects/:project_id/notification-configurations': { owner: 200 },
  'POST /projects/:project_id/notification-configurations': { owner: 201, body: notification('project') },
  'GET /teams/:team_id/notification-configurations': { owner: 200 },
  'POST /teams/:team_id/notification-configurations': { owner: 201, body: notification('team') },
  'GET /organizations/:organization_name/notification-configurations': { owner: 200 },
  'POST /organizations/:organization_name/notification-configurations': { owner: 201, body: notification('all') },
  'GET /notification-configurations/:notification_configuration_id': { owner: 200 },
  'PATCH /notification-configurations/:notification_configuration_id': { owner: 200, body: notification('other') },
  'DELETE /notification-configurations/:notification_configuration_id': { owner: 204 },
  // The URL of the receiver is on this machine, where nothing listens.
  'POST /notification-configurations/:notification_configuration_id/actions/verify': { owner: 400 },

  // The last run has not finished yet, so there is no assessment. The tests of assessments cover these routes.
  'POST /workspaces/:workspace_id/actions/assess': { owner: 409 },
  // No destroy run has failed. The tests of auto-destroy cover this route.
  'POST /workspaces/:workspace_id/actions/retry-auto-destroy': { owner: 409 },
  'GET /workspaces/:workspace_id/current-assessment-result': { owner: 404 },
  'GET /assessment-results/:assessment_result_id': { owner: 404 },
  'GET /assessment-results/:assessment_result_id/json-output': { owner: 404 },
  'GET /assessment-results/:assessment_result_id/json-schema': { owner: 404 },
  'GET /assessment-results/:assessment_result_id/log-output': { owner: 404 },

  'GET /workspaces/:workspace_id/tasks': { owner: 200 },
  'POST /workspaces/:workspace_id/tasks': {
    owner: 201,
    body: ({ other_task_id: task_id = 'task-none' }) => workspaceTask({ task_id }),
  },
  'GET /workspaces/:workspace_id/tasks/:workspace_task_id': { owner: 200 },
  'PATCH /workspaces/:workspace_id/tasks/:workspace_task_id': {
    owner: 200,
    body: resource('workspace-tasks', { 'enforcement-level': 'mandatory' }),
  },
  'DELETE /workspaces/:workspace_id/tasks/:workspace_task_id': { owner: 204 },
  'GET /organizations/:organization_name/explorer': { owner: 200, query: 'type=workspaces' },
  'GET /organizations/:organization_name/explorer/export/csv': {
    ...{ owner: 200, query: 'type=workspaces', contentType: 'text/csv; charset=utf-8' },
  },
  'GET /organizations/:organization_name/explorer/views': { owner: 200 },
  'POST /organizations/:organization_name/explorer/views': { owner: 201, body: explorerView('second') },
  'GET /organizations/:organization_name/explorer/views/:view_id': { owner: 200 },
  'PATCH /organizations/:organization_name/explorer/views/:view_id': { owner: 200, body: explorerView('other') },
  'DELETE /organizations/:organization_name/explorer/views/:view_id': { owner: 200 },
  'GET /organizations/:organization_name/explorer/views/:view_id/results': { owner: 200 },
  'GET /organizations/:organization_name/explorer/views/:view_id/csv': {
    ...{ owner: 200, contentType: 'text/csv; charset=utf-8' },
  },
  'GET /organizations/:organization_name/explorer/views/:view_id/export/csv': {
    ...{ owner: 200, contentType: 'text/csv; charset=utf-8' },
  },
  'GET /organizations/:organization_name/policies': { owner: 200 },
  'GET /organizations/:organization_name/policy-sets': { owner: 200 },
  'GET /organizations/:organization_name/tasks': { owner: 200 },
  'POST /organizations/:organization_name/tasks': { owner: 201, body: runTask('second') },
  'GET /tasks/:task_id': { owner: 200 },
  'PATCH /tasks/:task_id': { owner: 200, body: resource('tasks', { name: 'renamed' }) },
  'DELETE /tasks/:task_id': { owner: 204 },

  'GET /organizations/:organization_name/agent-pools': { owner: 200 },
  'POST /organizations/:organization_name/agent-pools': {
    owner: 201,
    body: resource('agent-pools', { name: 'second' }),
  },
  'GET /agent-pools/:agent_pool_id': { owner: 200 },
  'PATCH /agent-pools/:agent_pool_id': { owner: 200, body: resource('agent-pools', { name: 'other' }) },
  'DELETE /agent-pools/:agent_pool_id': { owner: 204 },
  'GET /agent-pools/:agent_pool_id/agents': { owner: 200 },
  // Requests that only agents may send: the owner of everything gets 404.
  'POST /agent-pools/:agent_pool_id/agents': { owner: 404, agent: 201, body: AGENT },
  'POST /agents': { owner: 404, agent: 201, body: AGENT },
  'GET /agents/:agent_id': { owner: 200, agent: 200 },
  'PATCH /agents/:agent_id': { owner: 404, agent: 200, body: resource('agents', { status: 'idle' }) },
  'DELETE /agents/:agent_id': { owner: 409 },
  'POST /agents/:agent_id/actions/claim': { owner: 404, agent: 204 },
  'POST /agents/:agent_id/actions/claim-forwarded-request': { owner: 404, agent: 204 },
  'POST /agents/:agent_id/forwarded-requests/:request_id/actions/respond': {
    owner: 404,
    body: resource('forwarded-responses', { part: 0, status: 200 }),
  },
  // Requires the token of the job.
  'GET /jobs/:job_id': { owner: 404 },
  'POST /jobs/:job_id/actions/start': { owner: 404 },
  'POST /jobs/:job_id/actions/heartbeat': { owner: 404 },
  'POST /jobs/:job_id/actions/finish': { owner: 404, body: resource('jobs', { outcome: 'canceled' }) },
  'PATCH /jobs/:job_id/log': { owner: 404, query: 'offset=0' },
  'GET /agent-pools/:agent_pool_id/authentication-tokens': { owner: 200 },
  'POST /agent-pools/:agent_pool_id/authentication-tokens': {
    owner: 201,
    body: resource('authentication-tokens', { description: 'agent' }),
  },

  'GET /run-logs/:link': { owner: 404 },
  'GET /plans/:id': { owner: 200, as: { id: 'plan_id' } },
  'GET /plans/:id/json-output': { owner: 204, as: { id: 'plan_id' } },
  'PUT /plans/:id/json-output': { owner: 204, as: { id: 'plan_id' }, body: {} },
  'GET /plans/:id/json-output-redacted': { owner: 204, as: { id: 'plan_id' } },
  'PUT /plans/:id/json-output-redacted': { owner: 204, as: { id: 'plan_id' }, body: {} },
  'GET /plans/:id/provider-schemas': { owner: 204, as: { id: 'plan_id' } },
  'PUT /plans/:id/provider-schemas': { owner: 204, as: { id: 'plan_id' }, body: {} },
  // Only for the agent that executes the run.
  'GET /plans/:id/folder': { owner: 404, as: { id: 'plan_id' } },
  'PUT /plans/:id/folder': { owner: 204, as: { id: 'plan_id' }, body: {} },
  'GET /plans/:id/sanitized-plan': { owner: 204, as: { id: 'plan_id' } },
  // Neither phase of the run is running.
  'POST /plans/:id/actions/append-log': { owner: 409, as: { id: 'plan_id' }, body: LOG },
  'GET /applies/:id': { owner: 200, as: { id: 'apply_id' } },
  'GET /applies/:id/errored-state': { owner: 204, as: { id: 'apply_id' } },
  'PUT /applies/:id/errored-state': { owner: 204, as: { id: 'apply_id' }, body: {} },
  'POST /applies/:id/actions/append-log': { owner: 409, as: { id: 'apply_id' }, body: LOG },

  'GET /workspaces/:workspace_id/runs': { owner: 200 },
  'GET /organizations/:organization_name/runs': { owner: 200 },
  'GET /organizations/:organization_name/runs/queue': { owner: 200 },
  'GET /agent-pools/:agent_pool_id/runs': { owner: 200 },
  'POST /runs': { owner: 201, body: plan },
  'GET /runs/:run_id': { owner: 200 },
  'POST /runs/:run_id/actions/apply': { owner: 409 },
  'POST /runs/:run_id/actions/discard': { owner: 409 },
  'POST /runs/:run_id/actions/cancel': { owner: 202 },
  'POST /runs/:run_id/actions/force-cancel': { owner: 409 },
  'POST /runs/:run_id/actions/force-execute': { owner: 409 },
  'POST /runs/:run_id/actions/advance': { owner: 200, body: resource('runs', { status: 'planning' }) },
  'GET /runs/:run_id/task-stages': { owner: 200 },
  // A run has a task result only with an enabled task whose service responds. The test of task stages covers it.
  'GET /task-stages/:task_stage_id': { owner: 404 },
  'POST /task-stages/:task_stage_id/actions/override': { owner: 404 },
  'GET /task-results/:task_result_id': { owner: 404 },
  'GET /task-results/:task_result_id/outcomes': { owner: 404 },
  // Requires the token that the server sent with the request of the task; refuses tokens of users.
  'PATCH /task-results/:task_result_id/callback': {
    ...{ owner: 401, stranger: 401 },
    body: resource('task-results', { status: 'passed' }),
  },
  'GET /runs/:run_id/policy-checks': { owner: 200 },
  'GET /runs/:run_id/run-events': { owner: 200 },
  'GET /run-events/:id': { owner: 200, as: { id: 'run_event_id' } },
  'GET /runs/:run_id/comments': { owner: 200 },
  'POST /runs/:run_id/comments': { owner: 201, body: COMMENT },
  'GET /comments/:id': { owner: 200, as: { id: 'comment_id' } },
};
