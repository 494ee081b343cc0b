import {
  type Answers,
  absent,
  accepted,
  done,
  file,
  list,
  made,
  one,
  open,
  orNothing,
  page,
  pageIfAsked,
  stored,
} from '../answer.ts';

const BYTES = 'application/octet-stream';

/** States, configurations and runs. */
export const RUN_ANSWERS: Answers = {
  'POST /workspaces/:workspace_id/state-versions': made('state-versions'),
  'PATCH /workspaces/:workspace_id/state-versions': made('state-versions'),
  'GET /workspaces/:workspace_id/current-state-version': one('state-versions'),
  'GET /workspaces/:workspace_id/current-state-version-outputs': page('state-version-outputs'),
  'GET /workspaces/:workspace_id/resources': page('resources'),
  'GET /state-versions': page('state-versions'),
  'GET /state-versions/:state_version_id': one('state-versions'),
  'GET /state-versions/:state_version_id/diff': one('state-version-diffs'),
  'GET /state-versions/:state_version_id/outputs': page('state-version-outputs'),
  'GET /state-version-outputs/:output_id': one('state-version-outputs'),
  ...backingData('/state-versions/:state_version_id'),
  'GET /state-versions/:state_version_id/download': file(BYTES, true),
  'GET /state-versions/:state_version_id/json-download': file('application/json', true),
  'PUT /state-versions/:state_version_id/upload': stored,
  'PUT /state-versions/:state_version_id/json-upload': stored,

  'POST /workspaces/:workspace_id/configuration-versions': made('configuration-versions'),
  'GET /workspaces/:workspace_id/configuration-versions': page('configuration-versions'),
  'GET /configuration-versions/:id': one('configuration-versions'),
  'GET /configuration-versions/:id/ingress-attributes': absent,
  'GET /configuration-versions/:id/download': file(BYTES, false),
  'POST /configuration-versions/:id/actions/archive': accepted,
  ...backingData('/configuration-versions/:id'),
  'PUT /configuration-uploads/:link': stored,

  'POST /runs': made('runs'),
  'GET /runs/:run_id': one('runs'),
  'GET /workspaces/:workspace_id/runs': page('runs'),
  'GET /organizations/:organization_name/runs': page('runs'),
  'GET /organizations/:organization_name/runs/queue': page('runs'),
  'POST /runs/:run_id/actions/apply': accepted,
  'POST /runs/:run_id/actions/discard': accepted,
  'POST /runs/:run_id/actions/cancel': accepted,
  'POST /runs/:run_id/actions/force-cancel': accepted,
  'POST /runs/:run_id/actions/force-execute': accepted,
  'POST /runs/:run_id/actions/advance': one('runs'),
  'GET /runs/:run_id/variables': list('run-variables'),
  'POST /agents/:agent_id/actions/claim': orNothing(one('runs')),
  'GET /runs/:run_id/run-events': list('run-events'),
  'GET /run-events/:id': one('run-events'),
  'GET /runs/:run_id/comments': list('comments'),
  'POST /runs/:run_id/comments': made('comments'),
  'GET /comments/:id': one('comments'),

  'GET /plans/:id': one('plans'),
  'POST /plans/:id/actions/append-log': one('plans'),
  'GET /plans/:id/json-output': done,
  'GET /plans/:id/json-output-redacted': done,
  'GET /plans/:id/sanitized-plan': done,
  'GET /applies/:id': one('applies'),
  'POST /applies/:id/actions/append-log': one('applies'),
  'GET /applies/:id/errored-state': done,
  'GET /run-logs/:link': open(file('text/plain', false)),

  'POST /workspaces/:workspace_id/run-triggers': made('run-triggers'),
  'GET /workspaces/:workspace_id/run-triggers': page('run-triggers'),
  'GET /run-triggers/:id': one('run-triggers'),

  'POST /workspaces/:workspace_id/notification-configurations': made('notification-configurations'),
  'GET /workspaces/:workspace_id/notification-configurations': pageIfAsked('notification-configurations'),
  'GET /notification-configurations/:notification_configuration_id': one('notification-configurations'),
  'PATCH /notification-configurations/:notification_configuration_id': one('notification-configurations'),
  'POST /notification-configurations/:notification_configuration_id/actions/verify': one('notification-configurations'),
};

function backingData(path: string): Answers {
  return {
    [`POST ${path}/actions/soft_delete_backing_data`]: done,
    [`POST ${path}/actions/restore_backing_data`]: done,
    [`POST ${path}/actions/permanently_delete_backing_data`]: done,
  };
}
