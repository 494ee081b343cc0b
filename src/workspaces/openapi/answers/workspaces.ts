import { POLICY_TYPES } from '../../workspace/retention/policy.ts';
import { type Answers, done, emptyPage, list, made, one, page, set } from '../answer.ts';

/** Projects, workspaces, and what is set on them. */
export const WORKSPACE_ANSWERS: Answers = {
  'POST /organizations/:organization_name/projects': made('projects'),
  'GET /organizations/:organization_name/projects': page('projects'),
  'GET /projects/:project_id': one('projects'),
  'PATCH /projects/:project_id': one('projects'),
  'POST /projects/:project_id/relationships/workspaces': done,
  ...tagBindings('/projects/:project_id'),

  'POST /organizations/:organization_name/workspaces': made('workspaces'),
  'GET /organizations/:organization_name/workspaces': page('workspaces'),
  ...workspace('/workspaces/:workspace_id'),
  ...workspace('/organizations/:organization_name/workspaces/:workspace_name'),
  'POST /workspaces/:workspace_id/actions/lock': one('workspaces'),
  'POST /workspaces/:workspace_id/actions/unlock': one('workspaces'),
  'POST /workspaces/:workspace_id/actions/force-unlock': one('workspaces'),
  'GET /workspaces/:workspace_id/lock-events': page('lock-events'),
  'GET /workspaces/:workspace_id/tasks': emptyPage,
  'PATCH /workspaces/:workspace_id/relationships/ssh-key': one('workspaces'),
  'GET /workspaces/:workspace_id/relationships/remote-state-consumers': page('workspaces'),
  'POST /workspaces/:workspace_id/relationships/remote-state-consumers': done,
  'PATCH /workspaces/:workspace_id/relationships/remote-state-consumers': done,
  'GET /organizations/:organization_name/recoverable-items': page('recoverable-items'),
  'GET /recoverable-items/:recoverable_item_id': one('recoverable-items'),
  'PUT /recoverable-items/:recoverable_item_id/actions/recover': done,
  'PUT /recoverable-items/:recoverable_item_id/actions/permanently-delete': done,

  'GET /organizations/:organization_name/tags': page('tags'),
  'POST /tags/:id/relationships/workspaces': done,
  'GET /workspaces/:workspace_id/relationships/tags': page('tags'),
  'POST /workspaces/:workspace_id/relationships/tags': done,
  ...tagBindings('/workspaces/:workspace_id'),
  'GET /organizations/:organization_name/reserved-tag-keys': page('reserved-tag-keys'),
  'POST /organizations/:organization_name/reserved-tag-keys': made('reserved-tag-keys'),
  'PATCH /reserved-tag-keys/:id': one('reserved-tag-keys'),
  'PATCH /reserved-tags/:id': one('reserved-tag-keys'),

  ...retention('/workspaces/:workspace_id'),
  ...retention('/organizations/:organization_name'),

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

function workspace(path: string): Answers {
  return {
    [`GET ${path}`]: one('workspaces'),
    [`PATCH ${path}`]: one('workspaces'),
    [`POST ${path}/actions/safe-delete`]: done,
  };
}

function tagBindings(path: string): Answers {
  return {
    [`GET ${path}/tag-bindings`]: list('tag-bindings'),
    [`PATCH ${path}/tag-bindings`]: list('tag-bindings'),
    [`GET ${path}/effective-tag-bindings`]: list('effective-tag-bindings'),
    [`GET ${path}/relationships/tag-bindings`]: list('tag-bindings'),
    [`POST ${path}/relationships/tag-bindings`]: done,
    [`PATCH ${path}/relationships/tag-bindings`]: done,
  };
}

function retention(path: string): Answers {
  const policy = `${path}/relationships/data-retention-policy`;
  return {
    [`GET ${policy}`]: one(...POLICY_TYPES),
    [`POST ${policy}`]: set(...POLICY_TYPES),
    [`PATCH ${policy}`]: one(...POLICY_TYPES),
  };
}
