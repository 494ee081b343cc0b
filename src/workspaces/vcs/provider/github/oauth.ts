import { requestGrant } from '../http/oauth-grant.ts';
import { urlOf } from '../http/pages.ts';
import type { OAuthApp, OAuthFlow } from '../port.ts';

/** Returns the sign-in of GitHub and Gitea, which use the same paths. */
export function oauthOf({ scope }: { readonly scope: string }): OAuthFlow {
  const tokenUrl = ({ httpUrl }: OAuthApp): string => urlOf(httpUrl, '/login/oauth/access_token');
  const client = ({ key, secret }: OAuthApp) => ({ client_id: key, client_secret: secret });
  return {
    hasPkce: true,
    authorizeUrl: ({ httpUrl, key }, { state, redirectUri, challenge }) =>
      urlOf(httpUrl, '/login/oauth/authorize', {
        ...{ response_type: 'code', client_id: key, redirect_uri: redirectUri, scope, state },
        ...(challenge !== null && { code_challenge: challenge, code_challenge_method: 'S256' }),
      }),
    exchange: (app, { code, redirectUri, verifier }, http) =>
      requestGrant(http, tokenUrl(app), {
        ...{ ...client(app), grant_type: 'authorization_code', code, redirect_uri: redirectUri },
        ...(verifier !== null && { code_verifier: verifier }),
      }),
    refresh: (app, refreshToken, http) =>
      requestGrant(http, tokenUrl(app), { ...client(app), grant_type: 'refresh_token', refresh_token: refreshToken }),
  };
}
