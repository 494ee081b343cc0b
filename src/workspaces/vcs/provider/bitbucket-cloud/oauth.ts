import { authorizeUrl, codeForm, refreshForm } from '../http/oauth-flow.ts';
import { requestGrant } from '../http/oauth-grant.ts';
import { urlOf } from '../http/pages.ts';
import type { OAuthApp, OAuthFlow, OAuthGrant, ProviderHttp } from '../port.ts';

/** Sign-in of Bitbucket Cloud. It has no PKCE, and the scopes are those of the OAuth consumer. */
export const bitbucketOAuth: OAuthFlow = {
  hasPkce: false,
  authorizeUrl: (app, request) =>
    authorizeUrl(urlOf(app.httpUrl, '/site/oauth2/authorize'), app, { ...request, challenge: null }),
  exchange: (app, grant, http) => tokens(app, codeForm({ ...grant, verifier: null }), http),
  refresh: (app, refreshToken, http) => tokens(app, refreshForm(refreshToken), http),
};

function tokens(app: OAuthApp, form: Readonly<Record<string, string>>, http: ProviderHttp): Promise<OAuthGrant> {
  const client = Buffer.from(`${app.key}:${app.secret}`).toString('base64');
  return requestGrant(http, urlOf(app.httpUrl, '/site/oauth2/access_token'), form, {
    authorization: `Basic ${client}`,
  });
}
