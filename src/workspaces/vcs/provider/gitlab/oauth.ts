import { standardOAuth } from '../http/oauth-flow.ts';
import { urlOf } from '../http/pages.ts';

/** GitLab's sign-in. Access tokens live for two hours, and each refresh token is valid once. */
export const gitlabOAuth = standardOAuth({
  page: ({ httpUrl }) => urlOf(httpUrl, '/oauth/authorize'),
  token: ({ httpUrl }) => urlOf(httpUrl, '/oauth/token'),
  // The only scope that includes webhooks, statuses and comments.
  scope: 'api',
});
