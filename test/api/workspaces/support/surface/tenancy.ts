import { bindings, PIPELINE, PROVIDER, resource, TOKEN } from './bodies.ts';
import type { Expectation, Values } from './expectation.ts';

const users = ({ username = 'somebody' }: Values) => ({ data: [{ type: 'users', id: username }] });
const memberships = ({ membership_id = 'ou-none' }: Values) => ({
  data: [{ type: 'organization-memberships', id: membership_id }],
});
const TTL_POLICIES = resource('organization-token-ttl-policies', {
  'token-ttl-policies': [{ 'token-type': 'team', 'max-ttl-ms': 3_600_000 }],
});

/** Accounts, projects, teams, memberships and organizations. */
export const TENANCY_SURFACE: Readonly<Record<string, Expectation>> = {
  'GET /account/details': { owner: 200, stranger: 200, agent: 404 },
  'GET /users/:user_id': { owner: 200 },
  // Routes for site administrators. The test of site users covers them.
  'GET /admin/users': { owner: 404 },
  'POST /admin/users': { owner: 404, body: resource('users', { username: 'made', email: 'made@example.com' }) },
  'GET /admin/users/:user_id': { owner: 404 },
  'POST /admin/users/:user_id/authentication-tokens': { owner: 404, body: resource('authentication-tokens') },
  'GET /admin/scim-settings': { owner: 404 },
  'PATCH /admin/scim-settings': { owner: 404, body: resource('scim-settings', { enabled: true }) },
  'DELETE /admin/scim-settings': { owner: 404 },
  'GET /admin/scim-tokens': { owner: 404 },
  'POST /admin/scim-tokens': { owner: 404, body: TOKEN },
  'GET /admin/scim-tokens/:token_id': { owner: 404 },
  'GET /admin/scim-groups': { owner: 404 },
  'POST /admin/teams/:team_id/scim-group-mapping': {
    owner: 404,
    body: resource('scim-group-mappings', { 'scim-group-id': 'scimg-1' }),
  },
  'PATCH /admin/teams/:team_id/scim-group-mapping': {
    owner: 404,
    body: resource('scim-group-mappings', { 'scim-sync-paused': true }),
  },
  'DELETE /admin/teams/:team_id/scim-group-mapping': { owner: 404 },
  'POST /admin/users/:user_id/actions/suspend': { owner: 404 },
  'POST /admin/users/:user_id/actions/unsuspend': { owner: 404 },
  'POST /admin/users/:user_id/actions/grant_admin': { owner: 404 },
  'POST /admin/users/:user_id/actions/revoke_admin': { owner: 404 },
  'GET /users/:user_id/sessions': { owner: 200 },
  'DELETE /users/:user_id/sessions': { owner: 204 },
  // Sessions come from a browser: the tests of sessions cover them.
  'DELETE /sessions/:session_id': { owner: 404 },
  'GET /users/:user_id/passkeys': { owner: 200 },
  // Passkeys come from a browser: the tests of passkeys cover them.
  'PATCH /passkeys/:passkey_id': { owner: 404, body: resource('passkeys', { name: 'key' }) },
  'DELETE /passkeys/:passkey_id': { owner: 404 },
  'POST /users/:user_id/authentication-tokens': { owner: 201, body: resource('authentication-tokens') },
  'GET /users/:user_id/authentication-tokens': { owner: 200 },
  'GET /authentication-tokens/:token_id': { owner: 200 },
  'DELETE /authentication-tokens/:token_id': { owner: 204 },
  'PATCH /account/update': { owner: 200, stranger: 200, agent: 404, body: resource('users', {}) },

  'POST /organizations/:organization_name/projects': { owner: 201, body: resource('projects', { name: 'Network' }) },
  'GET /organizations/:organization_name/projects': { owner: 200 },
  'GET /projects/:project_id': { owner: 200 },
  'PATCH /projects/:project_id': { owner: 200, body: resource('projects', { description: 'ours' }) },
  'DELETE /projects/:project_id': { owner: 204, as: { project_id: 'empty_project_id' } },
  'GET /projects/:project_id/tag-bindings': { owner: 200 },
  'PATCH /projects/:project_id/tag-bindings': { owner: 200, body: bindings },
  'GET /projects/:project_id/effective-tag-bindings': { owner: 200 },
  'GET /projects/:project_id/relationships/tag-bindings': { owner: 200 },
  'POST /projects/:project_id/relationships/tag-bindings': { owner: 204, body: bindings },
  'PATCH /projects/:project_id/relationships/tag-bindings': { owner: 204, body: bindings },

  'POST /organizations/:organization_name/teams': { owner: 201, body: resource('teams', { name: 'ops' }) },
  'GET /organizations/:organization_name/teams': { owner: 200 },
  'GET /teams/:team_id': { owner: 200 },
  'PATCH /teams/:team_id': { owner: 200, body: resource('teams', { visibility: 'organization' }) },
  'DELETE /teams/:team_id': { owner: 204 },
  'POST /teams/:team_id/relationships/users': { owner: 204, body: users },
  'DELETE /teams/:team_id/relationships/users': { owner: 204, body: users },
  'POST /teams/:team_id/machine-identities': {
    owner: 201,
    body: resource('machine-identities', { mount: 'cert', role: 'deploy' }),
  },
  'GET /teams/:team_id/machine-identities': { owner: 200 },
  'POST /agent-pools/:agent_pool_id/machine-identities': {
    owner: 201,
    body: resource('machine-identities', { mount: 'cert', role: 'agents' }),
  },
  'GET /agent-pools/:agent_pool_id/machine-identities': { owner: 200 },
  'GET /machine-identities': { owner: 200, stranger: 200 },
  'POST /organizations/:organization_name/sign-in-provider': { owner: 201, body: PROVIDER },
  'GET /organizations/:organization_name/sign-in-providers': { owner: 200 },
  'GET /organizations/:organization_name/sign-in-provider': { owner: 200 },
  'PATCH /organizations/:organization_name/sign-in-provider': { owner: 200, body: PROVIDER },
  'DELETE /organizations/:organization_name/sign-in-provider': { owner: 204 },
  'POST /organizations/:organization_name/sign-in-provider/actions/check': { owner: 200 },
  'GET /organizations/:organization_name/access-explanation': { owner: 200 },
  'GET /machine-identities/:machine_identity_id': { owner: 200 },
  'DELETE /machine-identities/:machine_identity_id': { owner: 204 },
  'POST /teams/:team_id/pipeline-identities': { owner: 201, body: PIPELINE },
  'GET /teams/:team_id/pipeline-identities': { owner: 200 },
  'POST /teams/:team_id/pipeline-explanation': {
    owner: 200,
    body: resource('pipeline-explanations', { token: 'none' }),
  },
  'GET /pipeline-identities/:pipeline_identity_id': { owner: 200 },
  'PATCH /pipeline-identities/:pipeline_identity_id': {
    owner: 200,
    body: resource('pipeline-identities', { description: 'ours' }),
  },
  'DELETE /pipeline-identities/:pipeline_identity_id': { owner: 204 },
  'POST /teams/:team_id/authentication-token': { owner: 201, body: TOKEN },
  'GET /teams/:team_id/authentication-token': { owner: 200 },
  'DELETE /teams/:team_id/authentication-token': { owner: 204 },
  'POST /teams/:team_id/authentication-tokens': {
    owner: 201,
    body: resource('authentication-tokens', { description: 'ci' }),
  },
  'GET /teams/:team_id/authentication-tokens': { owner: 200 },
  'GET /teams/:team_id/relationships/organization-memberships': { owner: 200 },
  'POST /teams/:team_id/relationships/organization-memberships': { owner: 204, body: memberships },
  'DELETE /teams/:team_id/relationships/organization-memberships': { owner: 204, body: memberships },

  'GET /organization-memberships': { owner: 200, stranger: 200, agent: 404 },
  'GET /organizations/:organization_name/organization-memberships': { owner: 200 },
  'POST /organizations/:organization_name/organization-memberships': {
    owner: 201,
    body: resource('organization-memberships', { email: 'somebody@example.com' }),
  },
  'GET /organization-memberships/:membership_id': { owner: 200 },
  'DELETE /organization-memberships/:membership_id': { owner: 204 },
  // A member cannot accept or decline for another user.
  'POST /organization-memberships/:membership_id/actions/accept': { owner: 404 },
  'POST /organization-memberships/:membership_id/actions/decline': { owner: 404 },
  'POST /organization-memberships/:membership_id/actions/create-link': { owner: 201 },
  // The secret of a link is shown to its creator only: the tests of invitations cover them.
  'POST /invitation-links/actions/accept': { owner: 404, body: resource('invitation-links', { secret: 'x' }) },
  'POST /invitation-links/actions/decline': { owner: 404, body: resource('invitation-links', { secret: 'x' }) },

  // Each name can be used once: the stranger has taken it before the owner's request.
  'POST /organizations': {
    owner: 422,
    stranger: 201,
    agent: 404,
    body: resource('organizations', { name: 'new', email: 'a@b.c' }),
  },
  'GET /organizations': { owner: 200, stranger: 200 },
  'GET /organizations/:organization_name': { owner: 200 },
  'GET /organizations/:organization_name/entitlement-set': { owner: 200 },
  'GET /organizations/:organization_name/subscription': { owner: 200 },
  'PATCH /organizations/:organization_name': {
    owner: 200,
    body: resource('organizations', { email: 'new@example.com' }),
  },
  'DELETE /organizations/:organization_name': { owner: 204 },
  'GET /organizations/:organization_name/capacity': { owner: 200 },
  'POST /organizations/:organization_name/authentication-token': { owner: 201, body: TOKEN },
  'GET /organizations/:organization_name/authentication-token': { owner: 200 },
  'GET /organizations/:organization_name/authentication-tokens': { owner: 200 },
  'DELETE /organizations/:organization_name/authentication-token': { owner: 204 },
  'GET /organizations/:organization_name/team-tokens': { owner: 200 },
  'GET /organizations/:organization_name/token-ttl-policies': { owner: 200 },
  'PATCH /organizations/:organization_name/token-ttl-policies': {
    owner: 200,
    body: TTL_POLICIES,
  },
};
