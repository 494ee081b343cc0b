import { type Answers, done, list, made, one, page } from '../../openapi/answer.ts';

/** What the routes of this wing answer. */
export const VARIABLES_ANSWERS: Answers = {
  'GET /workspaces/:workspace_id/vars': list('vars'),
  'POST /workspaces/:workspace_id/vars': made('vars'),
  'GET /workspaces/:workspace_id/vars/:variable_id': one('vars'),
  'PATCH /workspaces/:workspace_id/vars/:variable_id': one('vars'),
  'PATCH /workspaces/:workspace_id/relationships/vars': done,
  'GET /workspaces/:workspace_id/all-vars': list('vars'),
  'GET /vars': list('vars'),
  'POST /vars': made('vars'),
  'PATCH /vars/:variable_id': one('vars'),
  'GET /organizations/:organization_name/varsets': page('varsets'),
  'POST /organizations/:organization_name/varsets': made('varsets'),
  'GET /projects/:project_id/varsets': page('varsets'),
  'GET /workspaces/:workspace_id/varsets': page('varsets'),
  'GET /workspaces/:workspace_id/applicable-varsets': page('varsets'),
  'GET /varsets/:varset_id': one('varsets'),
  'PATCH /varsets/:varset_id': one('varsets'),
  'PUT /varsets/:varset_id': one('varsets'),
  'POST /varsets/:varset_id/relationships/projects': done,
  'POST /varsets/:varset_id/relationships/workspaces': done,
  'GET /varsets/:varset_id/relationships/vars': page('vars'),
  'POST /varsets/:varset_id/relationships/vars': made('vars'),
  'GET /varsets/:varset_id/relationships/vars/:variable_id': one('vars'),
  'PATCH /varsets/:varset_id/relationships/vars/:variable_id': one('vars'),
};
