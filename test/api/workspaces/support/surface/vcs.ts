import { OAUTH_CLIENT, projects, resource } from './bodies.ts';
import type { Expectation } from './expectation.ts';

/** Connections to version control. */
export const VCS_SURFACE: Readonly<Record<string, Expectation>> = {
  'GET /organizations/:organization_name/vcs-events': { owner: 200 },
  'GET /workspaces/:workspace_id/vcs-events': { owner: 200 },
  // The workspace follows no repository that the provider has.
  'POST /workspaces/:workspace_id/actions/look-up': { owner: 409 },
  'GET /oauth-clients/:oauth_client_id/vcs-repositories': { owner: 200 },
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
  'GET /github-app/installations': { owner: 200, stranger: 200 },
  'GET /oauth-tokens/:oauth_token_id': { owner: 200 },
  'PATCH /oauth-tokens/:oauth_token_id': { owner: 200, body: resource('oauth-tokens', {}) },
  'DELETE /oauth-tokens/:oauth_token_id': { owner: 204 },
  'POST /oauth-clients/:oauth_client_id/relationships/projects': { owner: 204, body: projects },
  'DELETE /oauth-clients/:oauth_client_id/relationships/projects': { owner: 204, body: projects },
};
