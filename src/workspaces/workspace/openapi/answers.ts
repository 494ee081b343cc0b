import { type Answers, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';

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
};
