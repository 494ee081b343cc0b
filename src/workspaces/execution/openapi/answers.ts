import {
  type Answers,
  absent,
  accepted,
  backingData,
  countedPage,
  done,
  emptyPage,
  file,
  listAnswer,
  made,
  open,
  orNothing,
  pageAnswer,
  pageIfAsked,
  resourceAnswer,
  stored,
} from '../../openapi/answer.ts';
import { EXPLORER_ANSWERS } from './explorer.ts';
import { SCHEDULE_ANSWERS } from './schedules.ts';

const BYTES = 'application/octet-stream';
const JSON_TYPE = 'application/json';

const output = (path: string, mediaType: string): Answers => ({
  [`PUT ${path}`]: done,
  [`GET ${path}`]: orNothing(file(mediaType, false)),
});

/** Responses of the execution routes. */
export const EXECUTION_ANSWERS: Answers = {
  'GET /events': file('text/event-stream', false),

  ...EXPLORER_ANSWERS,

  'GET /organizations/:organization_name/policies': emptyPage,
  'GET /organizations/:organization_name/policy-sets': emptyPage,

  'GET /organizations/:organization_name/tasks': pageAnswer('tasks'),
  'POST /organizations/:organization_name/tasks': made('tasks'),
  'GET /tasks/:task_id': resourceAnswer('tasks'),
  'PATCH /tasks/:task_id': resourceAnswer('tasks'),
  'GET /workspaces/:workspace_id/tasks': pageAnswer('workspace-tasks'),
  'POST /workspaces/:workspace_id/tasks': made('workspace-tasks'),
  'GET /workspaces/:workspace_id/tasks/:workspace_task_id': resourceAnswer('workspace-tasks'),
  'PATCH /workspaces/:workspace_id/tasks/:workspace_task_id': resourceAnswer('workspace-tasks'),
  'GET /runs/:run_id/task-stages': pageAnswer('task-stages'),
  'GET /task-stages/:task_stage_id': resourceAnswer('task-stages'),
  // The route always refuses the request, because a failed mandatory task ends its run.
  'POST /task-stages/:task_stage_id/actions/override': absent,
  'GET /task-results/:task_result_id': resourceAnswer('task-results'),
  'GET /task-results/:task_result_id/outcomes': listAnswer('task-result-outcomes'),
  'PATCH /task-results/:task_result_id/callback': resourceAnswer('task-results'),

  'GET /organizations/:organization_name/agent-pools': pageAnswer('agent-pools'),
  'POST /organizations/:organization_name/agent-pools': made('agent-pools'),
  'GET /agent-pools/:agent_pool_id': resourceAnswer('agent-pools'),
  'PATCH /agent-pools/:agent_pool_id': resourceAnswer('agent-pools'),
  'GET /agent-pools/:agent_pool_id/agents': pageAnswer('agents'),
  'POST /agent-pools/:agent_pool_id/agents': made('agents'),
  'GET /agents/:agent_id': resourceAnswer('agents'),
  'PATCH /agents/:agent_id': resourceAnswer('agents'),
  'GET /agent-pools/:agent_pool_id/authentication-tokens': pageAnswer('authentication-tokens'),
  'POST /agent-pools/:agent_pool_id/authentication-tokens': made('authentication-tokens'),

  'POST /workspaces/:workspace_id/configuration-versions': made('configuration-versions'),
  'GET /workspaces/:workspace_id/configuration-versions': pageAnswer('configuration-versions'),
  'GET /configuration-versions/:id': resourceAnswer('configuration-versions'),
  'GET /configuration-versions/:id/ingress-attributes': resourceAnswer('ingress-attributes'),
  'GET /ingress-attributes/:id': resourceAnswer('ingress-attributes'),
  'GET /configuration-versions/:id/download': file(BYTES, false),
  'POST /configuration-versions/:id/actions/archive': accepted,
  ...backingData('/configuration-versions/:id'),
  'PUT /configuration-uploads/:link': stored,

  'POST /runs': made('runs'),
  'GET /runs/:run_id': resourceAnswer('runs'),
  'GET /workspaces/:workspace_id/runs': pageAnswer('runs'),
  'GET /organizations/:organization_name/runs': countedPage('runs', 'RunPageMeta'),
  'GET /organizations/:organization_name/runs/queue': pageAnswer('runs'),
  'GET /agent-pools/:agent_pool_id/runs': pageAnswer('runs'),
  'POST /runs/:run_id/actions/apply': accepted,
  'POST /runs/:run_id/actions/discard': accepted,
  'POST /runs/:run_id/actions/cancel': accepted,
  'POST /runs/:run_id/actions/force-cancel': accepted,
  'POST /runs/:run_id/actions/force-execute': accepted,
  'POST /runs/:run_id/actions/advance': resourceAnswer('runs'),
  'POST /agents': made('agents'),
  'POST /agents/:agent_id/actions/claim': orNothing(resourceAnswer('jobs')),
  'POST /agents/:agent_id/actions/claim-forwarded-request': orNothing(resourceAnswer('forwarded-requests')),
  'POST /agents/:agent_id/forwarded-requests/:request_id/actions/respond': done,
  'GET /jobs/:job_id': resourceAnswer('jobs'),
  'POST /jobs/:job_id/actions/start': done,
  'POST /jobs/:job_id/actions/heartbeat': resourceAnswer('job-standings'),
  'PATCH /jobs/:job_id/log': resourceAnswer('job-standings'),
  'POST /jobs/:job_id/actions/finish': done,
  'GET /runs/:run_id/policy-checks': emptyPage,
  'GET /runs/:run_id/run-events': listAnswer('run-events'),
  'GET /run-events/:id': resourceAnswer('run-events'),
  'GET /runs/:run_id/comments': listAnswer('comments'),
  'POST /runs/:run_id/comments': made('comments'),
  'GET /comments/:id': resourceAnswer('comments'),

  'GET /plans/:id': resourceAnswer('plans'),
  'POST /plans/:id/actions/append-log': resourceAnswer('plans'),
  ...output('/plans/:id/json-output', JSON_TYPE),
  ...output('/plans/:id/json-output-redacted', JSON_TYPE),
  ...output('/plans/:id/provider-schemas', JSON_TYPE),
  ...output('/plans/:id/folder', BYTES),
  'GET /plans/:id/sanitized-plan': done,
  'GET /applies/:id': resourceAnswer('applies'),
  'POST /applies/:id/actions/append-log': resourceAnswer('applies'),
  ...output('/applies/:id/errored-state', JSON_TYPE),
  'GET /run-logs/:link': open(file('text/plain', false)),

  'POST /workspaces/:workspace_id/run-triggers': made('run-triggers'),
  'GET /workspaces/:workspace_id/run-triggers': pageAnswer('run-triggers'),
  'GET /run-triggers/:id': resourceAnswer('run-triggers'),

  ...SCHEDULE_ANSWERS,

  'POST /workspaces/:workspace_id/actions/assess': resourceAnswer('workspaces'),
  'POST /workspaces/:workspace_id/actions/retry-auto-destroy': resourceAnswer('workspaces'),
  'GET /workspaces/:workspace_id/current-assessment-result': resourceAnswer('assessment-results'),
  'GET /assessment-results/:assessment_result_id': resourceAnswer('assessment-results'),
  'GET /assessment-results/:assessment_result_id/json-output': orNothing(file(JSON_TYPE, false)),
  'GET /assessment-results/:assessment_result_id/json-schema': orNothing(file(JSON_TYPE, false)),
  'GET /assessment-results/:assessment_result_id/log-output': orNothing(file('text/plain', false)),

  'POST /workspaces/:workspace_id/notification-configurations': made('notification-configurations'),
  'GET /workspaces/:workspace_id/notification-configurations': pageIfAsked('notification-configurations'),
  'GET /notification-configurations/:notification_configuration_id': resourceAnswer('notification-configurations'),
  'PATCH /notification-configurations/:notification_configuration_id': resourceAnswer('notification-configurations'),
  'POST /notification-configurations/:notification_configuration_id/actions/verify':
    resourceAnswer('notification-configurations'),
};
