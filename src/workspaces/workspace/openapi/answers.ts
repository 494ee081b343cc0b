import {
  type Answers,
  absent,
  countedPage,
  done,
  made,
  pageAnswer,
  resourceAnswer,
  set,
  tagBindings,
} from '../../openapi/answer.ts';
import { POLICY_TYPES } from '../retention/policy.ts';

/** Responses of the workspace routes. */
export const WORKSPACE_ANSWERS: Answers = {
  ...toolVersions('terraform-versions'),
  ...toolVersions('opa-versions'),
  ...toolVersions('sentinel-versions'),

  'POST /team-workspaces': made('team-workspaces'),
  'GET /team-workspaces': pageAnswer('team-workspaces'),
  'GET /team-workspaces/:team_workspace_id': resourceAnswer('team-workspaces'),
  'PATCH /team-workspaces/:team_workspace_id': resourceAnswer('team-workspaces'),
  'POST /team-projects': made('team-projects'),
  'GET /team-projects': pageAnswer('team-projects'),
  'GET /team-projects/:team_project_id': resourceAnswer('team-projects'),
  'PATCH /team-projects/:team_project_id': resourceAnswer('team-projects'),

  'GET /organizations/:organization_name/ssh-keys': pageAnswer('ssh-keys'),
  'POST /organizations/:organization_name/ssh-keys': made('ssh-keys'),
  'GET /ssh-keys/:ssh_key_id': resourceAnswer('ssh-keys'),
  'PATCH /ssh-keys/:ssh_key_id': resourceAnswer('ssh-keys'),

  'POST /projects/:project_id/relationships/workspaces': done,

  'POST /organizations/:organization_name/workspaces': made('workspaces'),
  'GET /organizations/:organization_name/workspaces': countedPage('workspaces'),
  'GET /teams/:team_id/workspaces': pageAnswer('workspaces'),
  ...workspace('/workspaces/:workspace_id'),
  ...workspace('/organizations/:organization_name/workspaces/:workspace_name'),
  'POST /workspaces/:workspace_id/actions/lock': resourceAnswer('workspaces'),
  'POST /workspaces/:workspace_id/actions/unlock': resourceAnswer('workspaces'),
  'POST /workspaces/:workspace_id/actions/force-unlock': resourceAnswer('workspaces'),
  'GET /workspaces/:workspace_id/access-explanation': resourceAnswer('access-explanations'),
  'GET /workspaces/:workspace_id/lock-events': pageAnswer('lock-events'),
  'PATCH /workspaces/:workspace_id/relationships/ssh-key': resourceAnswer('workspaces'),
  'GET /workspaces/:workspace_id/relationships/remote-state-consumers': pageAnswer('workspaces'),
  'POST /workspaces/:workspace_id/relationships/remote-state-consumers': done,
  'PATCH /workspaces/:workspace_id/relationships/remote-state-consumers': done,
  'GET /organizations/:organization_name/recoverable-items': pageAnswer('recoverable-items'),
  'GET /recoverable-items/:recoverable_item_id': resourceAnswer('recoverable-items'),
  'PUT /recoverable-items/:recoverable_item_id/actions/recover': done,
  'PUT /recoverable-items/:recoverable_item_id/actions/permanently-delete': done,

  'GET /organizations/:organization_name/tags': pageAnswer('tags'),
  'POST /tags/:id/relationships/workspaces': done,
  'GET /workspaces/:workspace_id/relationships/tags': pageAnswer('tags'),
  'POST /workspaces/:workspace_id/relationships/tags': done,
  ...tagBindings('/workspaces/:workspace_id'),
  'GET /organizations/:organization_name/reserved-tag-keys': pageAnswer('reserved-tag-keys'),
  'POST /organizations/:organization_name/reserved-tag-keys': made('reserved-tag-keys'),
  'PATCH /reserved-tag-keys/:id': resourceAnswer('reserved-tag-keys'),
  'PATCH /reserved-tags/:id': resourceAnswer('reserved-tag-keys'),

  ...retention('/workspaces/:workspace_id'),
  ...retention('/organizations/:organization_name'),
};

function workspace(path: string): Answers {
  return {
    [`GET ${path}`]: resourceAnswer('workspaces'),
    [`PATCH ${path}`]: resourceAnswer('workspaces'),
    [`POST ${path}/actions/safe-delete`]: done,
  };
}

function retention(path: string): Answers {
  const policy = `${path}/relationships/data-retention-policy`;
  return {
    [`GET ${policy}`]: resourceAnswer(...POLICY_TYPES),
    [`POST ${policy}`]: set(...POLICY_TYPES),
    [`PATCH ${policy}`]: resourceAnswer(...POLICY_TYPES),
  };
}

/** These resources are read-only. */
function toolVersions(type: string): Answers {
  return {
    [`GET /admin/${type}`]: pageAnswer(type),
    [`POST /admin/${type}`]: absent,
    [`GET /admin/${type}/:tool_version_id`]: resourceAnswer(type),
    [`PATCH /admin/${type}/:tool_version_id`]: absent,
    [`DELETE /admin/${type}/:tool_version_id`]: absent,
  };
}
