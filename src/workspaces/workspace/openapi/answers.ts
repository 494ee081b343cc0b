import { type Answers, countedPage, done, made, pageAnswer, resourceAnswer, set } from '../../openapi/answer.ts';
import { POLICY_TYPES } from '../retention/policy.ts';

/** Responses of the workspace routes. */
export const WORKSPACE_ANSWERS: Answers = {
  'POST /team-workspaces': made('team-workspaces'),
  'GET /team-workspaces': pageAnswer('team-workspaces'),
  'GET /team-workspaces/:team_workspace_id': resourceAnswer('team-workspaces'),
  'PATCH /team-workspaces/:team_workspace_id': resourceAnswer('team-workspaces'),
  'POST /team-projects': made('team-projects'),
  'GET /team-projects': pageAnswer('team-projects'),
  'GET /team-projects/:team_project_id': resourceAnswer('team-projects'),
  'PATCH /team-projects/:team_project_id': resourceAnswer('team-projects'),

  'POST /organizations/:organization_name/workspaces': made('workspaces'),
  'GET /organizations/:organization_name/workspaces': countedPage('workspaces'),
  'GET /teams/:team_id/workspaces': pageAnswer('workspaces'),
  ...workspace('/workspaces/:workspace_id'),
  ...workspace('/organizations/:organization_name/workspaces/:workspace_name'),
  'PATCH /workspaces/:workspace_id/relationships/ssh-key': resourceAnswer('workspaces'),

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
