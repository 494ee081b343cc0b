import { standardOAuth } from '../http/oauth-flow.ts';
import { urlOf } from '../http/pages.ts';
import type { OAuthFlow } from '../port.ts';

/** Returns the sign-in of GitHub and Gitea, which use the same paths. */
export const oauthOf = ({ scope }: { readonly scope: string }): OAuthFlow =>
  standardOAuth({
    page: ({ httpUrl }) => urlOf(httpUrl, '/login/oauth/authorize'),
    token: ({ httpUrl }) => urlOf(httpUrl, '/login/oauth/access_token'),
    scope,
  });
