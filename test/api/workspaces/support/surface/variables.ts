import { projects, resource, variable, workspaces } from './bodies.ts';
import type { Expectation, Values } from './expectation.ts';

const legacyVariable = ({ workspace_id: id = 'ws-none' }: Values) => ({
  data: { ...variable('legacy').data, relationships: { workspace: { data: { type: 'workspaces', id } } } },
});
const IN_SET = { variable_id: 'set_variable_id' };

/** Variables and sets of them. */
export const VARIABLES_SURFACE: Readonly<Record<string, Expectation>> = {
  'GET /workspaces/:workspace_id/vars': { owner: 200 },
  'POST /workspaces/:workspace_id/vars': { owner: 201, body: variable('second') },
  'GET /workspaces/:workspace_id/vars/:variable_id': { owner: 200 },
  'PATCH /workspaces/:workspace_id/vars/:variable_id': { owner: 200, body: resource('vars', { value: '2' }) },
  'DELETE /workspaces/:workspace_id/vars/:variable_id': { owner: 204 },
  'PATCH /vars/:variable_id': { owner: 200, body: resource('vars', { value: '2' }) },
  'DELETE /vars/:variable_id': { owner: 204 },
  'GET /workspaces/:workspace_id/all-vars': { owner: 200 },
  'GET /vars': {
    owner: 200,
    query: 'filter[organization][name]=:organization_name&filter[workspace][name]=:workspace_name',
  },
  'POST /vars': { owner: 201, body: legacyVariable },
  'PATCH /workspaces/:workspace_id/relationships/vars': { owner: 204, body: { data: [variable('only').data] } },

  'GET /projects/:project_id/varsets': { owner: 200 },
  'GET /workspaces/:workspace_id/varsets': { owner: 200 },
  'GET /workspaces/:workspace_id/applicable-varsets': { owner: 200 },
  'GET /organizations/:organization_name/varsets': { owner: 200 },
  'POST /organizations/:organization_name/varsets': {
    owner: 201,
    body: resource('varsets', { name: 'second', global: false }),
  },
  'GET /varsets/:varset_id': { owner: 200 },
  'PATCH /varsets/:varset_id': { owner: 200, body: resource('varsets', { description: 'ours' }) },
  'DELETE /varsets/:varset_id': { owner: 204 },
  'GET /varsets/:varset_id/relationships/vars': { owner: 200 },
  'POST /varsets/:varset_id/relationships/vars': { owner: 201, body: variable('second') },
  'POST /varsets/:varset_id/relationships/workspaces': { owner: 204, body: workspaces('workspace_id') },
  'DELETE /varsets/:varset_id/relationships/workspaces': { owner: 204, body: workspaces('workspace_id') },
  'POST /varsets/:varset_id/relationships/projects': { owner: 204, body: projects },
  'DELETE /varsets/:varset_id/relationships/projects': { owner: 204, body: projects },
  'GET /varsets/:varset_id/relationships/vars/:variable_id': { owner: 200, as: IN_SET },
  'PATCH /varsets/:varset_id/relationships/vars/:variable_id': {
    owner: 200,
    as: IN_SET,
    body: resource('vars', { value: '2' }),
  },
  'DELETE /varsets/:varset_id/relationships/vars/:variable_id': { owner: 204, as: IN_SET },
  'PUT /varsets/:varset_id': { owner: 200, body: resource('varsets', { description: 'ours' }) },
};
