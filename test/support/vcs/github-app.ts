import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import type { FakeRequest, FakeResponse, FakeRoute } from './fake-server.ts';
import type { FakeApp, FakeInstallation, FakeState } from './fake-state.ts';
import { listed, loginOf, repositoryBody, sorted } from './github-api.ts';
import { installationTokens, isInstallationToken } from './github-tokens.ts';

export type { FakeApp } from './fake-state.ts';
export { grantOf } from './github-tokens.ts';

/** Creates an App, as the manifest flow does. */
export function createFakeApp(state: FakeState, name: string, hookUrl?: string): FakeApp {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const id = state.apps.size + 11;
  const app: FakeApp = {
    ...{ id, name, clientId: `Iv1.${id}`, clientSecret: `app-${randomUUID()}`, installations: [] },
    // GitHub's keys have this format.
    privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    hook: hookUrl === undefined ? undefined : { url: hookUrl, secret: `hook-${randomUUID()}` },
  };
  state.apps.set(app.clientId, app);
  return app;
}

export function appRoutes(state: FakeState): Record<string, FakeRoute> {
  if (state.flavour !== 'github') return {};
  const known = installationTokens(state);
  const codes = new Map<string, FakeApp>();
  const asApp =
    (answer: (app: FakeApp, request: FakeRequest, match: RegExpMatchArray) => FakeResponse | undefined): FakeRoute =>
    (request, match) => {
      const app = appOf(state, request.headers.authorization);
      return app
        ? answer(app, request, match)
        : { status: 401, body: { message: 'A JSON web token could not be decoded' } };
    };
  return {
    'POST /(?:organizations/[^/]+/)?settings/apps/new': ({ body, query }) => {
      const manifest = JSON.parse(body.manifest);
      const code = randomUUID();
      codes.set(code, createFakeApp(state, manifest.name, manifest.hook_attributes?.url));
      const parameters = new URLSearchParams({ code, state: query.get('state') ?? '' });
      return { status: 302, headers: { location: `${manifest.redirect_url}?${parameters}` } };
    },
    'POST /app-manifests/([\\w-]+)/conversions': (_request, match) => {
      const app = codes.get(match[1] ?? '');
      codes.delete(match[1] ?? '');
      return app && { status: 201, body: appBody(app) };
    },
    'GET /app/installations': asApp((app, request) =>
      listed(
        state,
        request,
        app.installations.map((one) => installationBody(state, one)),
      ),
    ),
    'GET /app/installations/(\\d+)': asApp((app, _request, match) => {
      const found = app.installations.find(({ id }) => String(id) === match[1]);
      return found && { body: installationBody(state, found) };
    }),
    'POST /app/installations/(\\d+)/access_tokens': asApp((app, { body }, match) => {
      const found = app.installations.find(({ id }) => String(id) === match[1]);
      if (!found) return undefined;
      const token = `ghs_${randomUUID()}`;
      const { permissions, repository_ids: repositoryIds = [] } = body;
      known.set(token, { installationId: found.id, repositoryIds, permissions });
      return { status: 201, body: { token, expires_at: new Date(Date.now() + 3_600_000).toISOString(), permissions } };
    }),
    'GET /installation/repositories': (request) => {
      if (!isInstallationToken(state, request.headers.authorization))
        return { status: 403, body: { message: 'Forbidden' } };
      const page = listed(
        state,
        request,
        sorted(state).map((each) => repositoryBody(state, each)),
      );
      return { ...page, body: { total_count: state.repositories.length, repositories: page.body } };
    },
    'GET /user/installations': ({ headers }) => {
      const login = loginOf(state, headers.authorization);
      if (!login) return { status: 401, body: { message: 'Bad credentials' } };
      const all = [...state.apps.values()].flatMap(({ installations }) => installations);
      const mine = all.filter(({ users }) => users.includes(login));
      return { body: { total_count: mine.length, installations: mine.map((one) => installationBody(state, one)) } };
    },
  };
}

function appBody({ id, name, clientId, clientSecret, privateKey, hook }: FakeApp) {
  return {
    ...{ id, name, slug: name.toLowerCase().replaceAll(' ', '-'), client_id: clientId, client_secret: clientSecret },
    ...{ pem: privateKey, webhook_secret: hook?.secret ?? null },
  };
}

function installationBody({ address }: FakeState, { id, login, type }: FakeInstallation) {
  return {
    ...{ id, target_type: type, suspended_at: null, html_url: `${address}/settings/installations/${id}` },
    account: { login, type, id: 5, avatar_url: `${address}/${login}.png` },
  };
}

/** Checks the JWT of an App as GitHub does: signature, lifetime of ten minutes at most, issuer. */
function appOf({ apps, clock }: FakeState, authorization: string | undefined): FakeApp | undefined {
  const [head = '', claims = '', signature = ''] = (authorization ?? '').replace(/^Bearer /, '').split('.');
  if (signature === '') return undefined;
  const { iss, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const app = apps.get(iss);
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const now = clock() / 1000;
  if (!app || alg !== 'RS256' || exp - iat > 660 || exp - now > 600 || exp < now || iat > now) return undefined;
  const signed = Buffer.from(`${head}.${claims}`);
  const isValid = verify('sha256', signed, createPublicKey(app.privateKey), Buffer.from(signature, 'base64url'));
  return isValid ? app : undefined;
}
