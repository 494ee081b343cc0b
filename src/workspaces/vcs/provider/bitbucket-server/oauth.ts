import { standardOAuth } from '../http/oauth-flow.ts';
import { urlOf } from '../http/pages.ts';
import { serverUrl } from './api.ts';

/** Sign-in of Bitbucket Data Center 7.20 and later. */
export const serverOAuth = standardOAuth({
  page: ({ httpUrl }) => urlOf(serverUrl(httpUrl), '/rest/oauth2/latest/authorize'),
  token: ({ httpUrl }) => urlOf(serverUrl(httpUrl), '/rest/oauth2/latest/token'),
  // Only administrators of a repository may create webhooks.
  scope: 'REPO_ADMIN',
});
