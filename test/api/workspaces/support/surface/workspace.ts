import { workspaceBody } from '../organization.ts';
import { accessBody, bindings, RETENTION, resource, sshKey, tags, workspaces } from './bodies.ts';
import type { Expectation, Values } from './expectation.ts';

const tagIds = ({ tag_id: id = 'tag-none' }: Values) => ({ data: [{ type: 'tags', id }] });

/** Workspaces, access to them, and their parts. */
export const WORKSPACE_SURFACE: Readonly<Record<string, Expectation>> = {
  ...toolVersions('terraform-versions'),
  ...toolVersions('opa-versions'),
  ...toolVersions('sentinel-versions'),
  'GET /teams/:team_id/workspaces': { owner: 200 },
  'POST /team-workspaces': {
    owner: 201,
    body: (values) => accessBody('team-workspaces', 'workspace', values.workspace_id, values),
  },
  'GET /team-workspaces': { owner: 200, query: 'filter[workspace][id]=:workspace_id' },
  'GET /team-workspaces/:team_workspace_id': { owner: 200 },
  'PATCH /team-workspaces/:team_workspace_id': { owner: 200, body: resource('team-workspaces', { access: 'plan' }) },
  'DELETE /team-workspaces/:team_workspace_id': { owner: 204 },
  'POST /team-projects': {
    owner: 201,
    body: (values) => accessBody('team-projects', 'project', values.project_id, values),
  },
  'GET /team-projects': { owner: 200, query: 'filter[project][id]=:project_id' },
  'GET /team-projects/:team_project_id': { owner: 200 },
  'PATCH /team-projects/:team_project_id': { owner: 200, body: resource('team-projects', { access: 'write' }) },
  'DELETE /team-projects/:team_project_id': { owner: 204 },

  'GET /organizations/:organization_name/ssh-keys': { owner: 200 },
  'GET /ssh-keys/:ssh_key_id': { owner: 200 },
  'POST /organizations/:organization_name/ssh-keys': { owner: 201, body: sshKey('second') },
  'PATCH /ssh-keys/:ssh_key_id': { owner: 200, body: resource('ssh-keys', { name: 'other' }) },
  'DELETE /ssh-keys/:ssh_key_id': { owner: 204 },
  'PATCH /workspaces/:workspace_id/relationships/ssh-key': {
    owner: 200,
    body: (values) => resource('workspaces', { id: values.ssh_key_id ?? 'sshkey-none' }),
  },

  'GET /workspaces/:workspace_id/relationships/tags': { owner: 200 },
  'POST /workspaces/:workspace_id/relationships/tags': { owner: 204, body: tags },
  'DELETE /workspaces/:workspace_id/relationships/tags': { owner: 204, body: tags },
  'GET /workspaces/:workspace_id/tag-bindings': { owner: 200 },
  'PATCH /workspaces/:workspace_id/tag-bindings': {
    owner: 200,
    body: { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }] },
  },
  'GET /workspaces/:workspace_id/effective-tag-bindings': { owner: 200 },
  'GET /organizations/:organization_name/reserved-tag-keys': { owner: 200 },
  'POST /organizations/:organization_name/reserved-tag-keys': {
    owner: 201,
    body: resource('reserved-tag-keys', { key: 'cost', 'disable-overrides': false }),
  },
  'PATCH /reserved-tags/:id': {
    owner: 200,
    as: { id: 'reserved_key_id' },
    body: resource('reserved-tag-keys', { key: 'kept' }),
  },
  'DELETE /reserved-tags/:id': { owner: 204, as: { id: 'reserved_key_id' } },
  'PATCH /reserved-tag-keys/:id': {
    owner: 200,
    as: { id: 'reserved_key_id' },
    body: resource('reserved-tag-keys', { key: 'kept' }),
  },
  'DELETE /reserved-tag-keys/:id': { owner: 204, as: { id: 'reserved_key_id' } },
  'GET /organizations/:organization_name/tags': { owner: 200 },
  'GET /workspaces/:workspace_id/relationships/tag-bindings': { owner: 200 },
  'POST /workspaces/:workspace_id/relationships/tag-bindings': { owner: 204, body: bindings },
  'PATCH /workspaces/:workspace_id/relationships/tag-bindings': { owner: 204, body: bindings },
  'DELETE /organizations/:organization_name/tags': { owner: 204, body: tagIds },
  'POST /tags/:id/relationships/workspaces': { owner: 204, as: { id: 'tag_id' }, body: workspaces('workspace_id') },

  'GET /workspaces/:workspace_id/relationships/remote-state-consumers': { owner: 200 },
  'POST /workspaces/:workspace_id/relationships/remote-state-consumers': {
    owner: 204,
    body: workspaces('other_workspace_id'),
  },
  'PATCH /workspaces/:workspace_id/relationships/remote-state-consumers': {
    owner: 204,
    body: workspaces('other_workspace_id'),
  },
  'DELETE /workspaces/:workspace_id/relationships/remote-state-consumers': {
    owner: 204,
    body: workspaces('other_workspace_id'),
  },

  'POST /workspaces/:workspace_id/relationships/data-retention-policy': { owner: 200, body: RETENTION },
  'PATCH /workspaces/:workspace_id/relationships/data-retention-policy': { owner: 200, body: RETENTION },
  'POST /organizations/:organization_name/relationships/data-retention-policy': { owner: 200, body: RETENTION },
  'PATCH /organizations/:organization_name/relationships/data-retention-policy': { owner: 200, body: RETENTION },
  'GET /organizations/:organization_name/relationships/data-retention-policy': { owner: 200 },
  'DELETE /organizations/:organization_name/relationships/data-retention-policy': { owner: 204 },
  'GET /workspaces/:workspace_id/relationships/data-retention-policy': { owner: 200 },
  'DELETE /workspaces/:workspace_id/relationships/data-retention-policy': { owner: 204 },

  'POST /workspaces/:workspace_id/actions/lock': { owner: 200 },
  'POST /workspaces/:workspace_id/actions/unlock': { owner: 409 },
  'POST /workspaces/:workspace_id/actions/force-unlock': { owner: 409 },
  'GET /workspaces/:workspace_id/access-explanation': { owner: 200 },
  'GET /workspaces/:workspace_id/lock-events': { owner: 200 },

  'GET /organizations/:organization_name/recoverable-items': { owner: 200 },
  'GET /recoverable-items/:recoverable_item_id': { owner: 200 },
  'PUT /recoverable-items/:recoverable_item_id/actions/recover': { owner: 204 },
  'PUT /recoverable-items/:recoverable_item_id/actions/permanently-delete': { owner: 204 },

  'POST /organizations/:organization_name/workspaces': { owner: 201, body: workspaceBody({ name: 'two' }) },
  'GET /organizations/:organization_name/workspaces': { owner: 200 },
  'GET /workspaces/:workspace_id': { owner: 200 },
  'PATCH /workspaces/:workspace_id': { owner: 200, body: workspaceBody({ 'auto-apply': true }) },
  'DELETE /workspaces/:workspace_id': { owner: 204 },
  'POST /workspaces/:workspace_id/actions/safe-delete': { owner: 204 },
  'GET /organizations/:organization_name/workspaces/:workspace_name': { owner: 200 },
  'PATCH /organizations/:organization_name/workspaces/:workspace_name': {
    owner: 200,
    body: workspaceBody({ 'auto-apply': true }),
  },
  'DELETE /organizations/:organization_name/workspaces/:workspace_name': { owner: 204 },
  'POST /organizations/:organization_name/workspaces/:workspace_name/actions/safe-delete': { owner: 204 },
  'POST /projects/:project_id/relationships/workspaces': {
    owner: 204,
    as: { project_id: 'empty_project_id' },
    body: workspaces('workspace_id'),
  },
};

/** Routes for site administrators. The test of tool versions covers them. */
function toolVersions(type: string): Record<string, Expectation> {
  const one = `/admin/${type}/:tool_version_id`;
  return {
    [`GET /admin/${type}`]: { owner: 404 },
    [`POST /admin/${type}`]: { owner: 404, body: resource(type, { version: '1.0.0' }) },
    [`GET ${one}`]: { owner: 404 },
    [`PATCH ${one}`]: { owner: 404, body: resource(type, { enabled: false }) },
    [`DELETE ${one}`]: { owner: 404 },
  };
}
