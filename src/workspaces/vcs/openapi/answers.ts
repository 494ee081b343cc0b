import { type Answers, accepted, done, listAnswer, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';

/** Responses of the VCS routes. */
export const VCS_ANSWERS: Answers = {
  'GET /organizations/:organization_name/vcs-events': pageAnswer('vcs-events'),
  'GET /workspaces/:workspace_id/vcs-events': pageAnswer('vcs-events'),
  'POST /workspaces/:workspace_id/actions/look-up': accepted,
  'GET /oauth-clients/:oauth_client_id/vcs-repositories': pageAnswer('vcs-repositories'),
  'GET /vcs-repositories/:vcs_repository_id': resourceAnswer('vcs-repositories'),
  'POST /vcs-repositories/:vcs_repository_id/actions/look-up': resourceAnswer('vcs-repositories'),
  'POST /vcs-repositories/:vcs_repository_id/actions/renew-webhook-secret': resourceAnswer('vcs-repositories'),
  'GET /vcs-repositories/:vcs_repository_id/deliveries': pageAnswer('vcs-deliveries'),
  // The server has no such resources yet.
  'GET /github-app/installations': pageAnswer('Resource'),
  'GET /organizations/:organization_name/oauth-clients': pageAnswer('oauth-clients'),
  'POST /organizations/:organization_name/oauth-clients': made('oauth-clients'),
  'GET /oauth-clients/:oauth_client_id': resourceAnswer('oauth-clients'),
  'PATCH /oauth-clients/:oauth_client_id': resourceAnswer('oauth-clients'),
  'POST /oauth-clients/:oauth_client_id/actions/check': resourceAnswer('oauth-clients'),
  'POST /oauth-clients/:oauth_client_id/relationships/projects': done,
  'POST /workspaces/:workspace_id/actions/approve-fork': resourceAnswer('fork-approvals'),
  'GET /workspaces/:workspace_id/vcs-explanation': resourceAnswer('vcs-explanations'),
  'GET /workspaces/:workspace_id/vcs-preview': listAnswer('vcs-previews'),
  'POST /workspaces/:workspace_id/vcs-preview': listAnswer('vcs-previews'),
  'GET /organizations/:organization_name/oauth-tokens': pageAnswer('oauth-tokens'),
  'GET /oauth-clients/:oauth_client_id/oauth-tokens': pageAnswer('oauth-tokens'),
  'GET /oauth-tokens/:oauth_token_id': resourceAnswer('oauth-tokens'),
  'PATCH /oauth-tokens/:oauth_token_id': resourceAnswer('oauth-tokens'),
};
