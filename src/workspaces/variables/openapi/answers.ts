import { type Answers, done, listAnswer, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';

/** Responses of the variable routes. */
export const VARIABLES_ANSWERS: Answers = {
  'GET /workspaces/:workspace_id/vars': listAnswer('vars'),
  'POST /workspaces/:workspace_id/vars': made('vars'),
  'GET /workspaces/:workspace_id/vars/:variable_id': resourceAnswer('vars'),
  'PATCH /workspaces/:workspace_id/vars/:variable_id': resourceAnswer('vars'),
  'PATCH /workspaces/:workspace_id/relationships/vars': done,
  'GET /workspaces/:workspace_id/all-vars': listAnswer('vars'),
  'GET /vars': listAnswer('vars'),
  'POST /vars': made('vars'),
  'PATCH /vars/:variable_id': resourceAnswer('vars'),
  'GET /organizations/:organization_name/varsets': pageAnswer('varsets'),
  'POST /organizations/:organization_name/varsets': made('varsets'),
  'GET /projects/:project_id/varsets': pageAnswer('varsets'),
  'GET /workspaces/:workspace_id/varsets': pageAnswer('varsets'),
  'GET /workspaces/:workspace_id/applicable-varsets': pageAnswer('varsets'),
  'GET /varsets/:varset_id': resourceAnswer('varsets'),
  'PATCH /varsets/:varset_id': resourceAnswer('varsets'),
  'PUT /varsets/:varset_id': resourceAnswer('varsets'),
  'POST /varsets/:varset_id/relationships/projects': done,
  'POST /varsets/:varset_id/relationships/workspaces': done,
  'GET /varsets/:varset_id/relationships/vars': pageAnswer('vars'),
  'POST /varsets/:varset_id/relationships/vars': made('vars'),
  'GET /varsets/:varset_id/relationships/vars/:variable_id': resourceAnswer('vars'),
  'PATCH /varsets/:varset_id/relationships/vars/:variable_id': resourceAnswer('vars'),
};
