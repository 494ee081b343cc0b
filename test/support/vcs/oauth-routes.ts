import { createHash, randomUUID } from 'node:crypto';
import type { FakeResponse, FakeRoute } from './fake-server.ts';
import type { FakeState } from './fake-state.ts';

interface Code {
  readonly redirectUri: string;
  readonly challenge: string | null;
}

const GITHUB_PATHS = { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token' };

/** The sign-in of a person, who agrees at once. */
export function oauthRoutes(state: FakeState, paths = GITHUB_PATHS): Record<string, FakeRoute> {
  const codes = new Map<string, Code>();
  return {
    [`GET ${paths.authorize}`]: ({ query }) => {
      const redirectUri = query.get('redirect_uri') ?? '';
      if (!isClient(state, query.get('client_id'))) return { status: 404, body: { message: 'no such client' } };
      const code = randomUUID();
      codes.set(code, { redirectUri, challenge: query.get('code_challenge') });
      const parameters = new URLSearchParams({ code, state: query.get('state') ?? '' });
      return { status: 302, headers: { location: `${redirectUri}?${parameters}` } };
    },
    [`POST ${paths.token}`]: ({ body, headers }) => {
      const [id, secret] = clientOf(body, headers.authorization);
      if (!isClient(state, id) || secret !== secretOf(state, id)) return failed(state, 'incorrect_client_credentials');
      if (body.grant_type === 'refresh_token') return refreshed(state, body.refresh_token);
      const known = codes.get(body.code);
      codes.delete(body.code);
      const isProven =
        known && known.redirectUri === body.redirect_uri && challengeOf(body.code_verifier) === known.challenge;
      return isProven ? granted(state, 'ada') : failed(state, 'bad_verification_code');
    },
  };
}

/** Reads the client from the form, or from the credentials of Basic authentication (RFC 6749 §2.3.1). */
function clientOf(body: { client_id?: string; client_secret?: string }, authorization = ''): readonly [string, string] {
  const [id = '', secret = ''] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':');
  return [body.client_id ?? id, body.client_secret ?? secret];
}

function isClient({ oauth, apps }: FakeState, clientId: string | null): boolean {
  return clientId === oauth.clientId || apps.has(clientId ?? '');
}

function secretOf({ oauth, apps }: FakeState, clientId: string): string | undefined {
  return clientId === oauth.clientId ? oauth.clientSecret : apps.get(clientId)?.clientSecret;
}

function challengeOf(verifier: string | undefined): string | null {
  return verifier === undefined ? null : createHash('sha256').update(verifier).digest('base64url');
}

function refreshed(state: FakeState, refreshToken: string): FakeResponse {
  const login = state.refreshTokens.get(refreshToken);
  if (login === undefined) return failed(state, 'bad_refresh_token');
  state.refreshTokens.delete(refreshToken);
  return granted(state, login);
}

function granted(state: FakeState, login: string): FakeResponse {
  const { expiresIn } = state.oauth;
  const accessToken = `access-${randomUUID()}`;
  state.tokens.set(accessToken, login);
  if (expiresIn === undefined) return { body: { access_token: accessToken, token_type: 'bearer', scope: 'repo' } };
  const refreshToken = `refresh-${randomUUID()}`;
  state.refreshTokens.set(refreshToken, login);
  return {
    body: { access_token: accessToken, token_type: 'bearer', expires_in: expiresIn, refresh_token: refreshToken },
  };
}

/** GitHub answers with the status 200, Gitea as RFC 6749 says. */
function failed({ flavour }: FakeState, error: string): FakeResponse {
  return {
    status: flavour === 'github' ? 200 : 400,
    body: { error, error_description: `The sign-in failed: ${error}` },
  };
}
