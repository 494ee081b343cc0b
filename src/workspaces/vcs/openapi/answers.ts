import {
  type Answers,
  done,
  listAnswer,
  made,
  nextPageAnswer,
  pageAnswer,
  resourceAnswer,
} from '../../openapi/answer.ts';

/** Responses of the VCS routes. */
export const VCS_ANSWERS: Answers = {
  'GET /github-app/installations': pageAnswer('github-app-installations'),
  'GET /github-app-installations': pageAnswer('github-app-installations'),
  'GET /github-app/installation/:github_app_installation_id': resourceAnswer('github-app-installations'),
  'GET /organizations/:organization_name/github-app-installations': pageAnswer('github-app-installations'),
  'POST /organizations/:organization_name/github-app-installations/:github_app_installation_id/link-account': done,
  'GET /github-app-installations/:github_app_installation_id/repos': pageAnswer('github-app-repos'),
  'GET /organizations/:organization_name/github-app-installations/:github_app_installation_id/repos':
    pageAnswer('github-app-repos'),
  'GET /organizations/:organization_name/github-app': resourceAnswer('github-apps'),
  'GET /users/:user_id/github-app-oauth-tokens': pageAnswer('github-app-oauth-tokens'),
  'GET /oauth-tokens/:oauth_token_id/authorized-repos': nextPageAnswer('authorized-repos'),
  'GET /oauth-tokens/:oauth_token_id/vcs-organizations': listAnswer('vcs-organization'),
  'GET /organizations/:organization_name/vcs/repo': resourceAnswer('vcs-repo-check'),
  'GET /organizations/:organization_name/vcs/tree': listAnswer('vcs-tree'),
  'GET /organizations/:organization_name/oauth-clients': pageAnswer('oauth-clients'),
  'POST /organizations/:organization_name/oauth-clients': made('oauth-clients'),
  'GET /oauth-clients/:oauth_client_id': resourceAnswer('oauth-clients'),
  'PATCH /oauth-clients/:oauth_client_id': resourceAnswer('oauth-clients'),
  'POST /oauth-clients/:oauth_client_id/actions/check': resourceAnswer('oauth-clients'),
  'POST /oauth-clients/:oauth_client_id/relationships/projects': done,
  'GET /organizations/:organization_name/oauth-tokens': pageAnswer('oauth-tokens'),
  'GET /oauth-clients/:oauth_client_id/oauth-tokens': pageAnswer('oauth-tokens'),
  'GET /oauth-tokens/:oauth_token_id': resourceAnswer('oauth-tokens'),
  'PATCH /oauth-tokens/:oauth_token_id': resourceAnswer('oauth-tokens'),
};
