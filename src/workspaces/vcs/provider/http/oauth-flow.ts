import type { OAuthApp, OAuthFlow } from '../port.ts';
import { requestGrant } from './oauth-grant.ts';
import { urlOf } from './pages.ts';

/** Parts of a sign-in that a provider needs for its page. */
export interface AuthorizeRequest {
  readonly state: string;
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly scope?: string;
}

/** Returns the URL of a provider's page for a sign-in (RFC 6749 §4.1.1), with PKCE if there is a challenge. */
export function authorizeUrl(
  page: string,
  { key }: OAuthApp,
  { state, redirectUri, challenge, scope }: AuthorizeRequest,
): string {
  return urlOf(page, '', {
    ...{ client_id: key, response_type: 'code', redirect_uri: redirectUri, state, scope },
    ...(challenge !== null && { code_challenge: challenge, code_challenge_method: 'S256' }),
  });
}

/** Returns the form that exchanges a code for tokens (RFC 6749 §4.1.3). */
export function codeForm(grant: {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string | null;
}) {
  return {
    ...{ grant_type: 'authorization_code', code: grant.code, redirect_uri: grant.redirectUri },
    ...(grant.verifier !== null && { code_verifier: grant.verifier }),
  };
}

/** Returns the form that renews tokens (RFC 6749 §6). */
export function refreshForm(refreshToken: string) {
  return { grant_type: 'refresh_token', refresh_token: refreshToken };
}

/** Returns the members of a form by which this server authenticates (RFC 6749 §2.3.1). */
const clientForm = ({ key, secret }: OAuthApp) => ({ client_id: key, client_secret: secret });

/** The parts of a sign-in that differ between providers. */
export interface OAuthPlaces {
  /** Returns the URL of the page for people. */
  page(app: OAuthApp): string;
  token(app: OAuthApp): string;
  readonly scope: string;
}

/** Creates the sign-in of a provider that follows RFC 6749 and RFC 7636. */
export function standardOAuth({ page, token, scope }: OAuthPlaces): OAuthFlow {
  return {
    hasPkce: true,
    authorizeUrl: (app, request) => authorizeUrl(page(app), app, { ...request, scope }),
    exchange: (app, grant, http) => requestGrant(http, token(app), { ...codeForm(grant), ...clientForm(app) }),
    refresh: (app, refreshToken, http) =>
      requestGrant(http, token(app), { ...refreshForm(refreshToken), ...clientForm(app) }),
  };
}
