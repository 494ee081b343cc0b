import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { identify, type TestOrganization, workspaceBody } from './organization.ts';
import { base64, stateText, versionBody } from './states.ts';

/** The parameters of every path by name, all of things that exist. */
export type Values = Readonly<Record<string, string>>;

export const privateKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });

/** How a route is asked, and what it answers. */
export interface Expectation {
  readonly owner: number;
  /** Of what the owner gets. Default: JSON:API. */
  readonly contentType?: string;
  /** Somebody with a valid token who belongs nowhere. Default: 404. */
  readonly stranger?: number;
  /** An agent of a pool that serves no workspace. Default: what a stranger gets. */
  readonly agent?: number;
  readonly body?: object | ((values: Values) => object);
  /** With parameters, as in a path. */
  readonly query?: string;
  /** What a parameter of the path stands for, where several routes call different things by one name. */
  readonly as?: Readonly<Record<string, string>>;
}

const tags = { data: [{ type: 'tags', attributes: { name: 'blue' } }] };
const resource = (type: string, attributes: object = {}) => ({ data: { type, attributes } });
const users = ({ username = 'somebody' }: Values) => ({ data: [{ type: 'users', id: username }] });

const memberships = ({ membership_id = 'ou-none' }: Values) => ({
  data: [{ type: 'organization-memberships', id: membership_id }],
});
const workspaces = (name: string) => (values: Values) => ({
  data: [{ type: 'workspaces', id: values[name] ?? 'ws-none' }],
});
const trigger = ({ other_workspace_id: id = 'ws-none' }: Values) => ({
  data: { type: 'run-triggers', relationships: { sourceable: { data: { type: 'workspaces', id } } } },
});
const notification = (name: string) =>
  resource('notification-configurations', {
    name,
    'destination-type': 'generic',
    url: 'https://127.0.0.1/hook',
    enabled: false,
  });
const bindings = { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }] };
const variable = (key: string) => resource('vars', { key, value: '1', category: 'terraform' });
const sshKey = (name: string) => resource('ssh-keys', { name, value: privateKey });
const TOKEN = resource('authentication-tokens');
const TTL_POLICIES = resource('organization-token-ttl-policies', {
  'token-ttl-policies': [{ 'token-type': 'team', 'max-ttl-ms': 3_600_000 }],
});
const RETENTION = resource('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 30 });
const OAUTH_CLIENT = resource('oauth-clients', {
  'service-provider': 'github',
  'http-url': 'https://github.example.com',
  'api-url': 'https://api.github.example.com',
  'oauth-token-string': 'not-a-real-token',
});

const projects = ({ project_id: id = 'prj-none' }: Values) => ({ data: [{ type: 'projects', id }] });
const tagIds = ({ tag_id: id = 'tag-none' }: Values) => ({ data: [{ type: 'tags', id }] });
const legacyVariable = ({ workspace_id: id = 'ws-none' }: Values) => ({
  data: { ...variable('legacy').data, relationships: { workspace: { data: { type: 'workspaces', id } } } },
});
const CONFIGURATION = { id: 'configuration_version_id' };
const COMMENT = resource('comments', { body: 'Looks fine' });
const LOG = { data: { attributes: { offset: 0, content: base64('Planning') } } };
const plan = ({ other_workspace_id: id = 'ws-none' }: Values) => ({
  data: {
    type: 'runs',
    attributes: { 'plan-only': true },
    relationships: { workspace: { data: { type: 'workspaces', id } } },
  },
});
const AGENT = resource('agents', { name: 'runner-1' });
const IN_SET = { variable_id: 'set_variable_id' };
/** It manages nothing. */
const STATE = stateText(1, { resources: [], outputs: { address: { value: '10.0.0.1', type: 'string' } } });

/** The access of a team that has none yet. */
function accessBody(type: string, target: string, id: string | undefined, values: Values): object {
  const relationships = {
    team: { data: { type: 'teams', id: values.other_team_id ?? 'other_team_id' } },
    [target]: { data: { type: `${target}s`, id: id ?? 'none' } },
  };
  return { data: { type, attributes: { access: 'read' }, relationships } };
}

/** Every route of the service: a new one without an entry here fails. */
export const SURFACE: Readonly<Record<string, Expectation>> = {
  'GET /ping': { owner: 204, stranger: 204 },
  'GET /openapi.json': { owner: 200, stranger: 200, contentType: 'application/json; charset=utf-8' },
  'GET /account/details': { owner: 200, stranger: 200, agent: 404 },
  'GET /users/:user_id': { owner: 200 },
  'POST /users/:user_id/authentication-tokens': { owner: 201, body: resource('authentication-tokens') },
  'GET /users/:user_id/authentication-tokens': { owner: 200 },
  'GET /authentication-tokens/:token_id': { owner: 200 },
  'DELETE /authentication-tokens/:token_id': { owner: 204 },
  // Once each: the stranger has taken the name when the owner asks.
  'POST /organizations': {
    owner: 422,
    stranger: 201,
    agent: 404,
    body: resource('organizations', { name: 'new', email: 'a@b.c' }),
  },
  'GET /organizations': { owner: 200, stranger: 200 },
  'GET /organizations/:organization_name': { owner: 200 },
  'GET /organizations/:organization_name/entitlement-set': { owner: 200 },
  'POST /organizations/:organization_name/projects': { owner: 201, body: resource('projects', { name: 'Network' }) },
  'GET /organizations/:organization_name/projects': { owner: 200 },
  'GET /projects/:project_id': { owner: 200 },
  'POST /organizations/:organization_name/teams': { owner: 201, body: resource('teams', { name: 'ops' }) },
  'GET /organizations/:organization_name/teams': { owner: 200 },
  'GET /teams/:team_id': { owner: 200 },
  'PATCH /teams/:team_id': { owner: 200, body: resource('teams', { visibility: 'organization' }) },
  'DELETE /teams/:team_id': { owner: 204 },
  'POST /teams/:team_id/relationships/users': { owner: 204, body: users },
  'DELETE /teams/:team_id/relationships/users': { owner: 204, body: users },
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
  'POST /teams/:team_id/machine-identities': {
    owner: 201,
    body: resource('machine-identities', { mount: 'cert', role: 'deploy' }),
  },
  'GET /teams/:team_id/machine-identities': { owner: 200 },
  'GET /machine-identities/:machine_identity_id': { owner: 200 },
  'DELETE /machine-identities/:machine_identity_id': { owner: 204 },
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
  'POST /workspaces/:workspace_id/actions/lock': { owner: 200 },
  'POST /workspaces/:workspace_id/actions/unlock': { owner: 409 },
  'POST /workspaces/:workspace_id/actions/force-unlock': { owner: 409 },
  'GET /workspaces/:workspace_id/relationships/tags': { owner: 200 },
  'POST /workspaces/:workspace_id/relationships/tags': { owner: 204, body: tags },
  'DELETE /workspaces/:workspace_id/relationships/tags': { owner: 204, body: tags },
  'GET /workspaces/:workspace_id/tag-bindings': { owner: 200 },
  'PATCH /workspaces/:workspace_id/tag-bindings': {
    owner: 200,
    body: { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }] },
  },
  'GET /workspaces/:workspace_id/effective-tag-bindings': { owner: 200 },

  // Tokens, memberships and what an organization keeps.
  'PATCH /account/update': { owner: 200, stranger: 200, agent: 404, body: resource('users', {}) },
  'PATCH /organizations/:organization_name': {
    owner: 200,
    body: resource('organizations', { email: 'new@example.com' }),
  },
  'DELETE /organizations/:organization_name': { owner: 204 },
  'GET /organizations/:organization_name/capacity': { owner: 200 },
  'POST /organizations/:organization_name/authentication-token': { owner: 201, body: TOKEN },
  'GET /organizations/:organization_name/authentication-token': { owner: 200 },
  'DELETE /organizations/:organization_name/authentication-token': { owner: 204 },
  'GET /organizations/:organization_name/team-tokens': { owner: 200 },
  'GET /organizations/:organization_name/token-ttl-policies': { owner: 200 },
  'POST /teams/:team_id/authentication-token': { owner: 201, body: TOKEN },
  'GET /teams/:team_id/authentication-token': { owner: 200 },
  'DELETE /teams/:team_id/authentication-token': { owner: 204 },
  'POST /teams/:team_id/authentication-tokens': {
    owner: 201,
    body: resource('authentication-tokens', { description: 'ci' }),
  },
  'GET /teams/:team_id/authentication-tokens': { owner: 200 },
  'GET /organization-memberships': { owner: 200, stranger: 200, agent: 404 },
  'GET /organizations/:organization_name/organization-memberships': { owner: 200 },
  'POST /organizations/:organization_name/organization-memberships': {
    owner: 201,
    body: resource('organization-memberships', { email: 'somebody@example.com' }),
  },
  'GET /organization-memberships/:membership_id': { owner: 200 },
  'DELETE /organization-memberships/:membership_id': { owner: 204 },
  // Nobody answers for another.
  'POST /organization-memberships/:membership_id/actions/accept': { owner: 404 },
  'POST /organization-memberships/:membership_id/actions/decline': { owner: 404 },
  'GET /teams/:team_id/relationships/organization-memberships': { owner: 200 },
  'POST /teams/:team_id/relationships/organization-memberships': { owner: 204, body: memberships },
  'DELETE /teams/:team_id/relationships/organization-memberships': { owner: 204, body: memberships },
  'GET /organizations/:organization_name/recoverable-items': { owner: 200 },
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
  'GET /organizations/:organization_name/ssh-keys': { owner: 200 },
  'GET /ssh-keys/:ssh_key_id': { owner: 200 },
  'POST /organizations/:organization_name/ssh-keys': { owner: 201, body: sshKey('second') },
  'PATCH /ssh-keys/:ssh_key_id': { owner: 200, body: resource('ssh-keys', { name: 'other' }) },
  'DELETE /ssh-keys/:ssh_key_id': { owner: 204 },
  'GET /organizations/:organization_name/agent-pools': { owner: 200 },
  'POST /organizations/:organization_name/agent-pools': {
    owner: 201,
    body: resource('agent-pools', { name: 'second' }),
  },
  'GET /agent-pools/:agent_pool_id': { owner: 200 },
  'PATCH /agent-pools/:agent_pool_id': { owner: 200, body: resource('agent-pools', { name: 'other' }) },
  'DELETE /agent-pools/:agent_pool_id': { owner: 204 },
  'GET /agent-pools/:agent_pool_id/agents': { owner: 200 },
  // What agents alone may do: the owner of everything is none.
  'POST /agent-pools/:agent_pool_id/agents': { owner: 404, agent: 201, body: AGENT },
  'GET /agents/:agent_id': { owner: 200, agent: 200 },
  'PATCH /agents/:agent_id': { owner: 404, agent: 200, body: resource('agents', { status: 'idle' }) },
  'DELETE /agents/:agent_id': { owner: 409 },
  'POST /agents/:agent_id/actions/claim': { owner: 404, agent: 204 },
  'GET /runs/:run_id/variables': { owner: 404 },
  'GET /agent-pools/:agent_pool_id/authentication-tokens': { owner: 200 },
  'POST /agent-pools/:agent_pool_id/authentication-tokens': {
    owner: 201,
    body: resource('authentication-tokens', { description: 'agent' }),
  },
  'GET /organizations/:organization_name/oauth-clients': { owner: 200 },
  'GET /organizations/:organization_name/oauth-tokens': { owner: 200 },
  'POST /organizations/:organization_name/oauth-clients': { owner: 201, body: OAUTH_CLIENT },
  'GET /oauth-clients/:oauth_client_id': { owner: 200 },
  'PATCH /oauth-clients/:oauth_client_id': { owner: 200, body: resource('oauth-clients', { name: 'other' }) },
  'DELETE /oauth-clients/:oauth_client_id': { owner: 204 },
  'GET /oauth-clients/:oauth_client_id/oauth-tokens': { owner: 200 },
  'GET /github-app/installations': { owner: 200, stranger: 200 },

  // Projects.
  'PATCH /projects/:project_id': { owner: 200, body: resource('projects', { description: 'ours' }) },
  'DELETE /projects/:project_id': { owner: 204, as: { project_id: 'empty_project_id' } },
  'GET /projects/:project_id/tag-bindings': { owner: 200 },
  'PATCH /projects/:project_id/tag-bindings': { owner: 200, body: bindings },
  'GET /projects/:project_id/effective-tag-bindings': { owner: 200 },
  'GET /projects/:project_id/relationships/tag-bindings': { owner: 200 },
  'POST /projects/:project_id/relationships/tag-bindings': { owner: 204, body: bindings },
  'PATCH /projects/:project_id/relationships/tag-bindings': { owner: 204, body: bindings },
  'GET /projects/:project_id/varsets': { owner: 200 },
  'POST /projects/:project_id/relationships/workspaces': {
    owner: 204,
    as: { project_id: 'empty_project_id' },
    body: workspaces('workspace_id'),
  },

  // Variables.
  'GET /workspaces/:workspace_id/vars': { owner: 200 },
  'POST /workspaces/:workspace_id/vars': { owner: 201, body: variable('second') },
  'GET /workspaces/:workspace_id/vars/:variable_id': { owner: 200 },
  'PATCH /workspaces/:workspace_id/vars/:variable_id': { owner: 200, body: resource('vars', { value: '2' }) },
  'DELETE /workspaces/:workspace_id/vars/:variable_id': { owner: 204 },
  'PATCH /vars/:variable_id': { owner: 200, body: resource('vars', { value: '2' }) },
  'DELETE /vars/:variable_id': { owner: 204 },
  'GET /workspaces/:workspace_id/all-vars': { owner: 200 },
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

  // What a workspace is related to.
  'GET /workspaces/:workspace_id/lock-events': { owner: 200 },
  'GET /workspaces/:workspace_id/resources': { owner: 200 },
  'GET /workspaces/:workspace_id/runs': { owner: 200 },
  'GET /workspaces/:workspace_id/configuration-versions': { owner: 200 },
  'GET /organizations/:organization_name/runs': { owner: 200 },
  'GET /organizations/:organization_name/runs/queue': { owner: 200 },
  'GET /workspaces/:workspace_id/relationships/tag-bindings': { owner: 200 },
  'POST /workspaces/:workspace_id/relationships/tag-bindings': { owner: 204, body: bindings },
  'PATCH /workspaces/:workspace_id/relationships/tag-bindings': { owner: 204, body: bindings },
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
  'PATCH /workspaces/:workspace_id/relationships/ssh-key': {
    owner: 200,
    body: (values) => resource('workspaces', { id: values.ssh_key_id ?? 'sshkey-none' }),
  },
  'POST /workspaces/:workspace_id/relationships/data-retention-policy': { owner: 200, body: RETENTION },
  'PATCH /workspaces/:workspace_id/relationships/data-retention-policy': { owner: 200, body: RETENTION },
  'POST /organizations/:organization_name/relationships/data-retention-policy': { owner: 200, body: RETENTION },
  'PATCH /organizations/:organization_name/relationships/data-retention-policy': { owner: 200, body: RETENTION },
  'GET /workspaces/:workspace_id/current-state-version': { owner: 200 },
  'GET /workspaces/:workspace_id/run-triggers': { owner: 200, query: 'filter[run-trigger][type]=inbound' },
  'POST /workspaces/:workspace_id/run-triggers': { owner: 201, body: trigger },

  // What belongs to the above.
  'GET /oauth-tokens/:oauth_token_id': { owner: 200 },
  'PATCH /oauth-tokens/:oauth_token_id': { owner: 200, body: resource('oauth-tokens', {}) },
  'DELETE /oauth-tokens/:oauth_token_id': { owner: 204 },
  'POST /oauth-clients/:oauth_client_id/relationships/projects': { owner: 204, body: projects },
  'DELETE /oauth-clients/:oauth_client_id/relationships/projects': { owner: 204, body: projects },
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
  'GET /run-triggers/:id': { owner: 200, as: { id: 'run_trigger_id' } },
  'DELETE /run-triggers/:id': { owner: 204, as: { id: 'run_trigger_id' } },
  'GET /workspaces/:workspace_id/notification-configurations': { owner: 200 },
  'POST /workspaces/:workspace_id/notification-configurations': { owner: 201, body: notification('second') },
  'GET /notification-configurations/:notification_configuration_id': { owner: 200 },
  'PATCH /notification-configurations/:notification_configuration_id': { owner: 200, body: notification('other') },
  'DELETE /notification-configurations/:notification_configuration_id': { owner: 204 },
  // Its receiver is on this machine, where nobody sends anything.
  'POST /notification-configurations/:notification_configuration_id/actions/verify': { owner: 400 },
  'GET /organizations/:organization_name/relationships/data-retention-policy': { owner: 200 },
  'DELETE /organizations/:organization_name/relationships/data-retention-policy': { owner: 204 },
  'GET /workspaces/:workspace_id/relationships/data-retention-policy': { owner: 200 },
  'DELETE /workspaces/:workspace_id/relationships/data-retention-policy': { owner: 204 },
  'DELETE /organizations/:organization_name/tags': { owner: 204, body: tagIds },
  'POST /tags/:id/relationships/workspaces': { owner: 204, as: { id: 'tag_id' }, body: workspaces('workspace_id') },
  'GET /vars': {
    owner: 200,
    query: 'filter[organization][name]=:organization_name&filter[workspace][name]=:workspace_name',
  },
  'POST /vars': { owner: 201, body: legacyVariable },
  'PATCH /workspaces/:workspace_id/relationships/vars': { owner: 204, body: { data: [variable('only').data] } },
  'PATCH /organizations/:organization_name/token-ttl-policies': {
    owner: 200,
    body: TTL_POLICIES,
  },
  'GET /recoverable-items/:recoverable_item_id': { owner: 200 },
  'PUT /recoverable-items/:recoverable_item_id/actions/recover': { owner: 204 },
  'PUT /recoverable-items/:recoverable_item_id/actions/permanently-delete': { owner: 204 },
  'GET /state-versions': {
    owner: 200,
    query: 'filter[organization][name]=:organization_name&filter[workspace][name]=:workspace_name',
  },
  'POST /workspaces/:workspace_id/state-versions': {
    owner: 409,
    body: versionBody(STATE, { serial: 2, state: base64(STATE) }),
  },
  'GET /state-versions/:state_version_id': { owner: 200 },
  'GET /state-versions/:state_version_id/outputs': { owner: 200 },
  'GET /state-versions/:state_version_id/diff': { owner: 200 },
  'GET /state-versions/:state_version_id/download': { owner: 200, contentType: 'application/octet-stream' },
  'GET /state-versions/:state_version_id/json-download': { owner: 404 },
  // Uploads take a signed address, and no token.
  'PUT /state-versions/:state_version_id/upload': { owner: 401, stranger: 401 },
  'PUT /state-versions/:state_version_id/json-upload': { owner: 401, stranger: 401 },
  'PUT /configuration-uploads/:link': { owner: 404 },
  'GET /run-logs/:link': { owner: 404 },
  // Of the current state of a workspace that nobody has locked.
  'POST /state-versions/:state_version_id/actions/soft_delete_backing_data': { owner: 400 },
  'POST /state-versions/:state_version_id/actions/restore_backing_data': { owner: 400 },
  'POST /state-versions/:state_version_id/actions/permanently_delete_backing_data': { owner: 400 },
  'PATCH /workspaces/:workspace_id/state-versions': {
    owner: 409,
    body: ({ state_version_id: id = 'sv-none' }) => ({
      data: {
        type: 'state-versions',
        relationships: { 'rollback-state-version': { data: { type: 'state-versions', id } } },
      },
    }),
  },
  'GET /state-version-outputs/:output_id': { owner: 200 },
  'GET /workspaces/:workspace_id/current-state-version-outputs': { owner: 200 },
  'POST /workspaces/:workspace_id/configuration-versions': { owner: 201, body: resource('configuration-versions', {}) },
  'GET /configuration-versions/:id': { owner: 200, as: { id: 'configuration_version_id' } },

  // Configurations and runs: the run is a plan alone, which nobody has begun.
  'GET /configuration-versions/:id/ingress-attributes': { owner: 404, as: CONFIGURATION },
  'GET /configuration-versions/:id/download': { owner: 404, as: CONFIGURATION },
  'POST /configuration-versions/:id/actions/archive': { owner: 409, as: CONFIGURATION },
  'POST /configuration-versions/:id/actions/soft_delete_backing_data': { owner: 400, as: CONFIGURATION },
  'POST /configuration-versions/:id/actions/restore_backing_data': { owner: 400, as: CONFIGURATION },
  'POST /configuration-versions/:id/actions/permanently_delete_backing_data': { owner: 400, as: CONFIGURATION },
  'POST /runs': { owner: 201, body: plan },
  'GET /runs/:run_id': { owner: 200 },
  'POST /runs/:run_id/actions/apply': { owner: 409 },
  'POST /runs/:run_id/actions/discard': { owner: 409 },
  'POST /runs/:run_id/actions/cancel': { owner: 202 },
  'POST /runs/:run_id/actions/force-cancel': { owner: 409 },
  'POST /runs/:run_id/actions/force-execute': { owner: 409 },
  'POST /runs/:run_id/actions/advance': { owner: 200, body: resource('runs', { status: 'planning' }) },
  'GET /runs/:run_id/task-stages': { owner: 200 },
  'GET /runs/:run_id/policy-checks': { owner: 200 },
  'GET /workspaces/:workspace_id/tasks': { owner: 200 },
  'GET /organizations/:organization_name/policies': { owner: 200 },
  'GET /organizations/:organization_name/policy-sets': { owner: 200 },
  'GET /organizations/:organization_name/tasks': { owner: 200 },
  'GET /runs/:run_id/run-events': { owner: 200 },
  'GET /run-events/:id': { owner: 200, as: { id: 'run_event_id' } },
  'GET /runs/:run_id/comments': { owner: 200 },
  'POST /runs/:run_id/comments': { owner: 201, body: COMMENT },
  'GET /comments/:id': { owner: 200, as: { id: 'comment_id' } },
  'GET /plans/:id': { owner: 200, as: { id: 'plan_id' } },
  'GET /plans/:id/json-output': { owner: 204, as: { id: 'plan_id' } },
  'GET /plans/:id/json-output-redacted': { owner: 204, as: { id: 'plan_id' } },
  'GET /plans/:id/sanitized-plan': { owner: 204, as: { id: 'plan_id' } },
  'POST /plans/:id/actions/append-log': { owner: 200, as: { id: 'plan_id' }, body: LOG },
  'GET /applies/:id': { owner: 200, as: { id: 'apply_id' } },
  'GET /applies/:id/errored-state': { owner: 204, as: { id: 'apply_id' } },
  'POST /applies/:id/actions/append-log': { owner: 200, as: { id: 'apply_id' }, body: LOG },
};

/** A path, or a part of one, with its parameters; one that is not given stands for itself. */
export function fill(path: string, values: Values): string {
  return path.replace(/:(\w+)/g, (_, parameter: string) => values[parameter] ?? parameter);
}

/** What to send to a route. */
export function requestOf(route: string, values: Values): { method: string; path: string; body: object | undefined } {
  const [method = '', pattern = ''] = route.split(' ');
  const { as = {}, body, query } = SURFACE[route] ?? { owner: 0 };
  const named = pattern.replace(/:(\w+)/g, (parameter, name: string) => (as[name] ? `:${as[name]}` : parameter));
  const path = fill(query === undefined ? named : `${named}?${query}`, values);
  return { method, path, body: typeof body === 'function' ? body(values) : body };
}

/** An organization with one of everything. */
export async function oneOfEverything(organization: TestOrganization): Promise<Values> {
  const { owner, name } = organization;
  async function made(path: string, body: object): Promise<string> {
    const answer = await owner.call('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  }
  /** Known to everybody in the organization. */
  async function team(teamName: string): Promise<string> {
    const body = resource('teams', { name: teamName, visibility: 'organization' });
    return made(`/organizations/${name}/teams`, body);
  }
  const team_id = await team('runners');
  const values = {
    organization_name: name,
    workspace_name: 'one',
    workspace_id: await organization.workspace('one'),
    project_id: organization.defaultProjectId,
    team_id,
    other_team_id: await team('others'),
    machine_identity_id: await identify(owner, team_id, { mount: 'cert', role: `${name}/runner` }),
    user_id: owner.id,
    username: owner.username,
    token_id: await made(`/users/${owner.id}/authentication-tokens`, resource('authentication-tokens')),
  };
  const granted = { ...values, other_team_id: team_id };
  const below = `/organizations/${name}`;
  await made(`${below}/authentication-token`, TOKEN);
  await made(`/teams/${team_id}/authentication-token`, TOKEN);
  await made(`/workspaces/${values.workspace_id}/relationships/data-retention-policy`, RETENTION);
  await made(`${below}/relationships/data-retention-policy`, RETENTION);
  await owner.call('POST', `/workspaces/${values.workspace_id}/relationships/tags`, tags);
  const [tag] = (await owner.call('GET', `${below}/tags`)).body.data;
  const oauth_client_id = await made(`${below}/oauth-clients`, OAUTH_CLIENT);
  const [oauthToken] = (await owner.call('GET', `/oauth-clients/${oauth_client_id}/oauth-tokens`)).body.data;
  await owner.call('DELETE', `/workspaces/${await organization.workspace('gone')}`);
  const [recoverable] = (await owner.call('GET', `${below}/recoverable-items`)).body.data;
  await owner.call('POST', `/workspaces/${values.workspace_id}/actions/lock`);
  const state_version_id = await made(
    `/workspaces/${values.workspace_id}/state-versions`,
    versionBody(STATE, { serial: 1, state: base64(STATE) }),
  );
  await owner.call('POST', `/workspaces/${values.workspace_id}/actions/unlock`);
  const [output] = (await owner.call('GET', `/state-versions/${state_version_id}/outputs`)).body.data;
  const other_workspace_id = await organization.workspace('other');
  const upload = resource('configuration-versions', { 'auto-queue-runs': false });
  const announced = await owner.call('POST', `/workspaces/${other_workspace_id}/configuration-versions`, upload);
  const { pathname } = new URL(announced.body.data.attributes['upload-url']);
  await owner.call('PUT', pathname.replace('/api/v2', ''), 'an archive');
  const run_id = await made('/runs', plan({ other_workspace_id }));
  const comment_id = await made(`/runs/${run_id}/comments`, COMMENT);
  const { relationships: ofRun } = (await owner.call('GET', `/runs/${run_id}`)).body.data;
  const agent_pool_id = await made(`${below}/agent-pools`, resource('agent-pools', { name: 'first' }));
  const agentTokens = `/agent-pools/${agent_pool_id}/authentication-tokens`;
  const agentToken = await owner.call('POST', agentTokens, resource('agent-tokens', { description: 'rack 7' }));
  const { token: agent_token } = agentToken.body.data.attributes;
  const asAgent = { authorization: `Bearer ${agent_token}` };
  const agent = await owner.call('POST', `/agent-pools/${agent_pool_id}/agents`, AGENT, asAgent);
  const varset_id = await made(`${below}/varsets`, resource('varsets', { name: 'first', global: false }));
  return {
    ...values,
    team_workspace_id: await made(
      '/team-workspaces',
      accessBody('team-workspaces', 'workspace', values.workspace_id, granted),
    ),
    team_project_id: await made('/team-projects', accessBody('team-projects', 'project', values.project_id, granted)),
    other_workspace_id,
    run_id,
    comment_id,
    run_event_id: ofRun['run-events'].data[0].id,
    plan_id: ofRun.plan.data.id,
    apply_id: ofRun.apply.data.id,
    tag_id: tag.id,
    oauth_token_id: oauthToken.id,
    recoverable_item_id: recoverable.id,
    state_version_id,
    output_id: output.id,
    notification_configuration_id: await made(
      `/workspaces/${values.workspace_id}/notification-configurations`,
      notification('first'),
    ),
    run_trigger_id: await made(
      `/workspaces/${other_workspace_id}/run-triggers`,
      trigger({ other_workspace_id: values.workspace_id }),
    ),
    configuration_version_id: await made(
      `/workspaces/${values.workspace_id}/configuration-versions`,
      resource('configuration-versions', { 'auto-queue-runs': false }),
    ),
    set_variable_id: await made(`/varsets/${varset_id}/relationships/vars`, variable('first')),
    empty_project_id: await organization.project('Empty'),
    membership_id: await made(
      `${below}/organization-memberships`,
      resource('organization-memberships', { email: `m@${name}.example.com` }),
    ),
    reserved_key_id: await made(
      `${below}/reserved-tag-keys`,
      resource('reserved-tag-keys', { key: 'first', 'disable-overrides': false }),
    ),
    ssh_key_id: await made(`${below}/ssh-keys`, sshKey('first')),
    agent_pool_id,
    agent_token,
    agent_id: agent.body.data.id,
    oauth_client_id,
    variable_id: await made(`/workspaces/${values.workspace_id}/vars`, variable('first')),
    varset_id,
  };
}
