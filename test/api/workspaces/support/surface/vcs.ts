import { OAUTH_CLIENT, projects, resource } from './bodies.ts';
import type { Expectation } from './expectation.ts';

const IN_ORGANIZATION = '/organizations/:organization_name/github-app-installations/:github_app_installation_id';
const REPOSITORY = 'oauth_token_id=:oauth_token_id&identifier=acme%2Finfra';

/** Connections to version control. */
export const VCS_SURFACE: Readonly<Record<string, Expectation>> = {
  'GET /organizations/:organization_name/vcs-events': { owner: 200 },
  'GET /workspaces/:workspace_id/vcs-events': { owner: 200 },
  // The workspace follows no repository that the provider has.
  'POST /workspaces/:workspace_id/actions/look-up': { owner: 409 },
  'GET /oauth-clients/:oauth_client_id/vcs-repositories': { owner: 200 },
  'GET /github-app-installations/:github_app_installation_id/vcs-repositories': { owner: 200 },
  'GET /vcs-repositories/:vcs_repository_id': { owner: 200 },
  'POST /vcs-repositories/:vcs_repository_id/actions/look-up': { owner: 200 },
  'POST /vcs-repositories/:vcs_repository_id/actions/renew-webhook-secret': { owner: 200 },
  'GET /vcs-repositories/:vcs_repository_id/deliveries': { owner: 200 },
  'GET /organizations/:organization_name/oauth-clients': { owner: 200 },
  'GET /organizations/:organization_name/oauth-tokens': { owner: 200 },
  'POST /organizations/:organization_name/oauth-clients': { owner: 201, body: OAUTH_CLIENT },
  'GET /oauth-clients/:oauth_client_id': { owner: 200 },
  'PATCH /oauth-clients/:oauth_client_id': { owner: 200, body: resource('oauth-clients', { name: 'other' }) },
  'DELETE /oauth-clients/:oauth_client_id': { owner: 204 },
  'GET /oauth-clients/:oauth_client_id/oauth-tokens': { owner: 200 },
  'POST /oauth-clients/:oauth_client_id/actions/check': { owner: 200 },
  'GET /github-app/installations': { owner: 200, stranger: 200 },
  'GET /github-app-installations': { owner: 200, stranger: 200 },
  'GET /github-app/installation/:github_app_installation_id': { owner: 200 },
  'GET /organizations/:organization_name/github-app-installations': { owner: 200 },
  [`POST ${IN_ORGANIZATION}/link-account`]: { owner: 204 },
  [`DELETE ${IN_ORGANIZATION}`]: { owner: 204 },
  'GET /organizations/:organization_name/github-app': { owner: 200 },
  'GET /organizations/:organization_name/github-apps': { owner: 200 },
  'DELETE /organizations/:organization_name/github-app': { owner: 204 },
  'POST /github-app-installations/:github_app_installation_id/actions/check': { owner: 200 },
  'GET /users/:user_id/github-app-oauth-tokens': { owner: 200 },
  // The server connects to no private network, so no provider answers.
  'GET /github-app-installations/:github_app_installation_id/repos': { owner: 422 },
  [`GET ${IN_ORGANIZATION}/repos`]: { owner: 422 },
  'GET /oauth-tokens/:oauth_token_id/authorized-repos': { owner: 422 },
  'GET /oauth-tokens/:oauth_token_id/vcs-organizations': { owner: 422 },
  'GET /organizations/:organization_name/vcs/repo': { owner: 422, query: REPOSITORY },
  'GET /organizations/:organization_name/vcs/tree': { owner: 422, query: REPOSITORY },
  'GET /organizations/:organization_name/vcs/branches': { owner: 422, query: REPOSITORY },
  'POST /organizations/:organization_name/vcs/preview': {
    owner: 422,
    query: REPOSITORY,
    body: resource('workspaces', { 'file-triggers-enabled': true }),
  },
  'GET /vcs-events/:vcs_event_id': { owner: 200 },
  'GET /vcs-events/:vcs_event_id/verdicts': { owner: 200 },
  'GET /oauth-tokens/:oauth_token_id': { owner: 200 },
  'PATCH /oauth-tokens/:oauth_token_id': { owner: 200, body: resource('oauth-tokens', {}) },
  'DELETE /oauth-tokens/:oauth_token_id': { owner: 204 },
  // The workspace follows no repository.
  'GET /workspaces/:workspace_id/vcs-link': { owner: 404 },
  // Tests on Git servers cover the rest.
  'GET /workspaces/:workspace_id/vcs-explanation': { owner: 409 },
  'GET /workspaces/:workspace_id/vcs-preview': { owner: 409 },
  'POST /workspaces/:workspace_id/vcs-preview': {
    owner: 409,
    body: resource('workspaces', { 'file-triggers-enabled': true }),
  },
  'POST /workspaces/:workspace_id/actions/approve-fork': {
    owner: 409,
    body: resource('fork-approvals', { 'pull-request-number': 1, 'commit-sha': 'ab'.repeat(20) }),
  },
  'POST /oauth-clients/:oauth_client_id/relationships/projects': { owner: 204, body: projects },
  'DELETE /oauth-clients/:oauth_client_id/relationships/projects': { owner: 204, body: projects },
};
