import { type Answers, done, made, pageAnswer, resourceAnswer } from '../../openapi/answer.ts';

/** Responses of the VCS routes. */
export const VCS_ANSWERS: Answers = {
  // The server has no such resources yet.
  'GET /github-app/installations': pageAnswer('Resource'),
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
