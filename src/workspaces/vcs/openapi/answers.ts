import { type Answers, done, made, one, page } from '../../openapi/answer.ts';

/** What the routes of this wing answer. */
export const VCS_ANSWERS: Answers = {
  // There are none yet, of what kind ever.
  'GET /github-app/installations': page('Resource'),
  'GET /organizations/:organization_name/oauth-clients': page('oauth-clients'),
  'POST /organizations/:organization_name/oauth-clients': made('oauth-clients'),
  'GET /oauth-clients/:oauth_client_id': one('oauth-clients'),
  'PATCH /oauth-clients/:oauth_client_id': one('oauth-clients'),
  'POST /oauth-clients/:oauth_client_id/relationships/projects': done,
  'GET /organizations/:organization_name/oauth-tokens': page('oauth-tokens'),
  'GET /oauth-clients/:oauth_client_id/oauth-tokens': page('oauth-tokens'),
  'GET /oauth-tokens/:oauth_token_id': one('oauth-tokens'),
  'PATCH /oauth-tokens/:oauth_token_id': one('oauth-tokens'),
};
